import { sendRaw, type RawAnswer, type RawRequest } from './raw-http.ts';
import type { Visitor } from './log-in.ts';

/** A screen that is paired: it keeps the cookie of its display, like a browser. */
export interface Screen {
  /** The credential; undefined before it was approved. */
  credential: string | undefined;
  send: (method: string, uri: string, body?: unknown, headers?: RawRequest['headers']) => Promise<RawAnswer>;
  /** The `Set-Cookie` of the last answer that had one. */
  setCookie: string | undefined;
}

export function screenAt(address: string, tls = !address.startsWith('unix:')): Screen {
  const self: Screen = {
    credential: undefined,
    setCookie: undefined,
    send: async (method, uri, body, headers = []) => {
      const cookie =
        self.credential === undefined ? [] : [['Cookie', `postern_display=${self.credential}`] as const];
      const type = body === undefined ? [] : [['Content-Type', 'application/json'] as const];
      const answer = await sendRaw(
        address,
        {
          method,
          uri,
          headers: [...cookie, ...type, ...headers],
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        },
        tls,
      );
      const set = answer.headers.get('set-cookie')?.findLast((line) => line.startsWith('postern_display='));
      if (set !== undefined) {
        self.setCookie = set;
        self.credential = /^postern_display=([^;]*)/.exec(set)?.[1] || undefined;
      }
      return answer;
    },
  };
  return self;
}

/** Codes as the gate returns them. */
export interface Codes {
  readonly device_code: string;
  readonly user_code: string;
  readonly verification_uri_complete: string;
  readonly expires_in: number;
  readonly interval: number;
}

/** @throws Error when the gate gives none */
export async function codesFor(screen: Screen): Promise<Codes> {
  const answer = await screen.send('POST', '/postern/api/displays/code', {});
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.body}`);
  return JSON.parse(answer.body) as Codes;
}

/**
 * Pairs a screen.
 * @param wanted the display, besides the code
 * @returns its id
 */
export async function pair(
  screen: Screen,
  approver: Pick<Visitor, 'send'>,
  wanted: { readonly name: string; readonly [field: string]: unknown },
  framed = false,
): Promise<string> {
  const { user_code: code, device_code: deviceCode } = await codesFor(screen);
  const approved = await approver.send('POST', '/postern/api/displays', { user_code: code, ...wanted });
  if (approved.status !== 201) throw new Error(`${approved.status} ${approved.body}`);
  const answer = await screen.send('POST', '/postern/api/displays/token', {
    device_code: deviceCode,
    framed,
  });
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.body}`);
  return (JSON.parse(approved.body) as { readonly id: string }).id;
}
