import { once } from 'node:events';
import { SMTPServer } from 'smtp-server';

interface Received {
  recipients: string[];
  text: string;
}

/** Joins lines that quoted-printable has broken: where it breaks them depends on the lengths of names. */
export const unfold = (mail: string) => mail.replaceAll(/=\r?\n/g, '');

/** A real mail server on loopback that stores its mails, or refuses them, or every login, as `behaviour` says. */
export async function startMailServer() {
  const received: Received[] = [];
  const behaviour: { refuseWith: number | undefined; refusesLogin: boolean } = {
    refuseWith: undefined,
    refusesLogin: false,
  };
  const server = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    onAuth({ username }, _session, done) {
      done(null, behaviour.refusesLogin ? {} : { user: username });
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk) => chunks.push(chunk));
      stream.on('end', () => {
        if (behaviour.refuseWith)
          return done(Object.assign(new Error('not now'), { responseCode: behaviour.refuseWith }));
        const recipients = session.envelope.rcptTo.map(({ address }) => address);
        received.push({ recipients, text: unfold(Buffer.concat(chunks).toString('utf8')) });
        done();
      });
    },
  });
  // A product that is killed resets its connection in the middle of a mail.
  server.on('error', () => {});
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as { port: number };
  return {
    received,
    behaviour,
    url: `smtp://127.0.0.1:${port}`,
    close: () => new Promise<void>((done) => server.close(done)),
  };
}

export type MailServer = Awaited<ReturnType<typeof startMailServer>>;
