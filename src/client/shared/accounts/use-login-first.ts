import { useLocation, useNavigate } from 'react-router';
import { PAGES } from '../../../contract/pages.ts';
import { useOwner, useSession } from '../../session.ts';
import { setReturnPath } from './return-path.ts';

/**
 * @param reason shown on the login page
 * @returns a function that runs an action for a signed-in user, and leads a visitor to the login page and back instead
 */
export function useLoginFirst(reason: string): (action: () => void) => void {
  const session = useSession();
  const owner = useOwner();
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  return (action) => {
    if (session) return action();
    setReturnPath(pathname + search, owner, reason);
    void navigate(PAGES.login.path);
  };
}
