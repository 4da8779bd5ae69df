import { mkdirSync } from 'node:fs';
import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import { createTransport } from 'nodemailer';
import { failureFields } from '../database/failures.ts';
import type { Milliseconds } from '../database/tables.ts';

/** A plain-text mail to one stored mailbox. Users' text in it cannot contain markup. */
export interface Mail {
  readonly id: number;
  readonly to: string;
  /** The user it is for, who may have another mailbox or name by now. */
  readonly userId: number;
  readonly subject: string;
  readonly text: string;
  /** Logged when there is no mail server, so that the product can be tried without one. Never in production. */
  readonly code?: string;
}

/** The sender in mails: a mailbox with or without a name. */
export interface Sender {
  readonly name: string;
  readonly address: string;
}

export interface MailTransport {
  /** Hands a mail over. @throws the error of the mail server; `responseCode` is its SMTP status */
  send(mail: Mail): Promise<void>;
  /** Deletes the files of the mails to a user. Of mails over SMTP nothing is stored. */
  deleteMailsTo(userId: number): Promise<void>;
  /** Deletes the files of mails that were written before a time. */
  deleteMailsBefore(before: Milliseconds): Promise<void>;
  /** Aborts mails in flight, which then count as not handed over. */
  close(): void;
}

/** Deletes the files of the mails to a deleted user. A failure is only logged: old files are swept anyway. */
export async function deleteMailFiles(transport: MailTransport, userId: number, log: FastifyBaseLogger): Promise<void> {
  await transport
    .deleteMailsTo(userId)
    .catch((error: unknown) => log.warn({ event: 'mails-not-deleted', ...failureFields(error) }, 'mail files stay'));
}

interface MailOptions {
  readonly smtpUrl: string | undefined;
  readonly from: Sender;
  /** The folder for mails as files, used when there is no mail server. */
  readonly folder: string;
  /** Whether codes are logged. With them, anybody who reads the log could enter any account. */
  readonly logsCodes: boolean;
}

/** A mail server answers within a second or two. One that does not must not block a sender for long. */
const CONNECT_TIMEOUT_MS = 5_000;
const SOCKET_TIMEOUT_MS = 10_000;
/** The longest time for one mail, even if the server keeps answering slowly: well below the lease of the outbox. */
const SEND_MAX_MS = 30_000;

function messageOf(from: Sender, mail: Mail) {
  return {
    // An object and an explicit envelope: the mailer would parse a text, which could contain a second recipient.
    from: { ...from },
    to: { name: '', address: mail.to },
    envelope: { from: from.address, to: [mail.to] },
    subject: mail.subject,
    // With the line breaks of mails (RFC 2045 §6.8): the mailer does not change those that it encodes as base64.
    text: mail.text.replaceAll(/\r?\n/g, '\r\n'),
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

function openSmtp(smtpUrl: string, from: Sender): MailTransport {
  const url = new URL(smtpUrl);
  const isLoopback = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SOCKET_TIMEOUT_MS,
    // A passcode opens an account, so it must never leave this machine unencrypted.
    requireTLS: url.protocol === 'smtp:' && !isLoopback,
    ignoreTLS: url.protocol === 'smtp:' && isLoopback,
  } as Parameters<typeof createTransport>[0]);
  const openSockets = new Set<Socket>();
  // Connected here, so that the connection can be ended after `SEND_MAX_MS`: the mailer itself waits for as long as a
  // byte arrives now and then.
  transport.getSocket = ({ host = '', port }, callback) => {
    const socket = connect({ host, port: Number(port) || (url.protocol === 'smtps:' ? 465 : 587) });
    const timer = setTimeout(() => socket.destroy(new Error('The mail server took too long.')), SEND_MAX_MS).unref();
    const connectTimer = setTimeout(() => socket.destroy(new Error('No connection.')), CONNECT_TIMEOUT_MS).unref();
    openSockets.add(socket);
    socket.once('close', () => {
      clearTimeout(timer);
      openSockets.delete(socket);
    });
    const fail = (error: Error) => callback(Object.assign(error, { command: 'CONN' }));
    socket.once('error', fail);
    socket.once('connect', () => {
      clearTimeout(connectTimer);
      socket.off('error', fail);
      callback(null, { connection: socket });
    });
  };
  return {
    send: async (mail) => {
      await transport.sendMail(messageOf(from, mail));
    },
    async deleteMailsTo() {},
    async deleteMailsBefore() {},
    close() {
      transport.close();
      for (const socket of openSockets) socket.destroy();
    },
  };
}

/** The first line of a mail's file, by which the mails of a deleted user are found. */
const userLine = (userId: number) => `X-User: ${userId}`;

function openFolder({ folder, from, logsCodes }: MailOptions, log: FastifyBaseLogger): MailTransport {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
  return {
    async send(mail) {
      const { message: bytes } = await transport.sendMail(messageOf(from, mail));
      const path = join(folder, `${String(mail.id).padStart(8, '0')}.eml`);
      const text = Buffer.concat([Buffer.from(`${userLine(mail.userId)}\n`), bytes as Buffer]);
      // Written under another name and then renamed, so that a reader of the folder never sees half a mail. It is
      // synced before the mail leaves the queue, so that a power cut leaves no empty mail.
      await writeFile(`${path}.part`, text, { mode: 0o600, flush: true });
      await rename(`${path}.part`, path);
      const code = logsCodes ? mail.code : undefined;
      log.info({ event: 'mail-written', path, code }, `mail written to ${path}${code ? ` with code ${code}` : ''}`);
    },
    deleteMailsTo: (userId) =>
      removeMails(folder, async (path) => (await readFile(path, 'utf8')).startsWith(`${userLine(userId)}\n`)),
    deleteMailsBefore: (before) => removeMails(folder, async (path) => (await stat(path)).mtimeMs < before),
    close: () => transport.close(),
  };
}

/** Deletes the files of mails that meet a condition. Another process may delete them at the same time. */
async function removeMails(folder: string, mustDelete: (path: string) => Promise<boolean>): Promise<void> {
  const names = await readdir(folder);
  for (const name of names.filter((file) => /\.eml(\.part)?$/.test(file))) {
    const path = join(folder, name);
    try {
      if (await mustDelete(path)) await rm(path, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
}

/** Opens SMTP if SMTP_URL is set. Otherwise every mail becomes a readable file, whose path is logged. */
export function openMailTransport(options: MailOptions, log: FastifyBaseLogger): MailTransport {
  return options.smtpUrl ? openSmtp(options.smtpUrl, options.from) : openFolder(options, log);
}
