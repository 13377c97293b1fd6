import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { expect } from 'vitest';

/** One request to a webhook or a topic. */
export interface Received {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

interface Answering {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Milliseconds before the answer. */
  readonly after?: number;
}

/** An HTTP server that keeps what it gets. */
export async function startHttpReceiver(answering: () => Answering = () => ({ status: 204 })) {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { url = '', headers: sent } = request;
      received.push({ url, headers: sent, body: Buffer.concat(parts).toString() });
      const { status, headers = {}, after = 0 } = answering();
      setTimeout(() => response.writeHead(status, headers).end(), after);
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    close: () => {
      server.closeAllConnections();
      return new Promise<void>((resolve) => void server.close(() => resolve()));
    },
  };
}

/** A mail with its lines as they were sent. */
interface Mail {
  readonly from: string;
  readonly to: readonly string[];
  readonly text: string;
}

/** A real SMTP server, without TLS. @param accepting what it waits for before it accepts a mail */
export async function startMailServer(
  credentials?: { readonly user: string; readonly pass: string },
  accepting: Promise<void> = Promise.resolve(),
) {
  const mails: Mail[] = [];
  let logins = 0;
  const server = new SMTPServer({
    authOptional: credentials === undefined,
    disabledCommands: credentials === undefined ? ['STARTTLS', 'AUTH'] : ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _, callback) => {
      logins += 1;
      if (username === credentials?.user && password === credentials?.pass)
        callback(null, { user: username });
      else callback(new Error('wrong'));
    },
    onData: (stream, { envelope }, callback) => {
      const keep = async () => {
        const text = await readText(stream);
        await accepting;
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        mails.push({ from, to: envelope.rcptTo.map(({ address }) => address), text });
        callback();
      };
      void keep();
    },
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    /** How many passwords it was sent. */
    logins: () => logins,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

/** What a webhook gets. */
export interface HookAlert {
  readonly id: string;
  readonly event: string;
  readonly time: string;
  readonly user?: string;
  readonly by?: string;
  readonly address?: string;
  readonly message: string;
  readonly count: number;
}

export const alertsOf = (received: readonly Received[]) =>
  received.map(({ body }) => JSON.parse(body) as HookAlert);

/** Waits until a webhook has such an alert. */
export async function alertOf(received: readonly Received[], event: string): Promise<HookAlert> {
  const find = () => alertsOf(received).find((alert) => alert.event === event);
  await expect.poll(find).toBeDefined();
  return find() as HookAlert;
}
