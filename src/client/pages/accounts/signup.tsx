import { PageHeading } from '../../components/page-heading.tsx';

export function Component() {
  return (
    <div className="page py-10">
      <PageHeading>Sign Up</PageHeading>
    </div>
  );
}
