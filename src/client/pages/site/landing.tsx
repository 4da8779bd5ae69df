import { PageHeading } from '../../components/page-heading.tsx';

export function Component() {
  return (
    <div className="page py-10">
      <PageHeading>Discover schools worldwide</PageHeading>
    </div>
  );
}
