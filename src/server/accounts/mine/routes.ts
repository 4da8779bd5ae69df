import * as calls from '../../../contract/my-account.ts';
import type { Serve } from '../../http/serve/serve.ts';
import { deleteMailFiles, type MailTransport } from '../../mail/transport.ts';
import type { AccountTools } from '../account-tools.ts';
import { changeAccount, confirmEmail, requirePassword } from './account-changes.ts';
import { deleteAccount, endMySession, listMySessions, readMyData } from './own-data.ts';

/** Serves what people do with their own accounts: sessions, name and email, taking their data, leaving. */
export function serveMyAccount(serve: Serve, tools: AccountTools & { transport: MailTransport }): void {
  const { transport, now } = tools;

  serve.read(calls.getMySessions, ({ db, caller }) => listMySessions(db, caller, now()));

  serve.write(calls.endMySession, ({ db, caller, params: { id } }) => endMySession(db, caller, id));

  serve(calls.updateMyAccount, ({ body, caller, address }) => changeAccount(tools, caller, body, address));

  serve(calls.confirmMyEmail, ({ body, caller, address }) => confirmEmail(tools, caller, body.code, address));

  serve.read(calls.downloadMyData, async ({ db, caller, reply }) => {
    const data = await readMyData(db, caller, now());
    reply.header('Content-Disposition', 'attachment; filename="my-data.json"');
    return data;
  });

  serve(calls.deleteMyAccount, async ({ body, caller, address, log }) => {
    const user = await requirePassword(tools, caller, body.password, address);
    await deleteAccount(tools, user, body.reviews);
    log.info({ event: 'account-deleted', userId: user.id }, 'account deleted by its owner');
    await deleteMailFiles(transport, user.id, log);
  });
}
