import { NotFoundMessage } from '../../components/feedback/not-found-message.tsx';

export function Component() {
  return <NotFoundMessage />;
}
