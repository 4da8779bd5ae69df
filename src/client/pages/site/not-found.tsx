import { NotFoundMessage } from '../../components/not-found-message.tsx';

export function Component() {
  return <NotFoundMessage />;
}
