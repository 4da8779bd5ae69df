import { logout } from '../../../contract/accounts.ts';
import { request } from '../../api.ts';
import { endSession } from '../../session.ts';

/** Ends the session. The token is deleted whatever the server answers. */
export function logOut(): void {
  void Promise.allSettled([request(logout, {}, { keepalive: true })]);
  endSession('logout');
}
