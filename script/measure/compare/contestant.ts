import { sendRaw, type RawAnswer } from '../../../test/support/raw-http.ts';

/** Where the recorder is, and where the other gates have their pages: they need a cookie for both. */
export const site = { recorder: 'cameras.example', signIn: 'auth.cameras.example' } as const;

/** The user of every gate but Postern, and bcrypt's hash of the password. */
export const user = {
  name: 'olaf',
  password: 'one-question-for-all',
  hash: '$2a$10$XjqvQem41sGWJlmGM.y8rOTlOyJzVpv0tM5Pf0wktfbHGn.TrCaQm',
} as const;

/** A gate that runs, and a session that began with a password. */
export interface SignedIn {
  /** `host:port` */
  readonly address: string;
  /** What nginx asks for by `auth_request`. */
  readonly path: string;
  /** Before the path of the client's request in X-Original-URL. */
  readonly origin: string;
  /** Of the header `Cookie`. */
  readonly cookie: string;
  readonly pid: number;
  /** Ends the session as a browser does. */
  signOut(): Promise<RawAnswer>;
}

/** A file or command of the configuration, as the page shows it. */
export interface ConfigurationFile {
  readonly name: string;
  readonly language: string;
  readonly text: string;
}

/** What the page has about a gate. */
export interface Described {
  readonly name: string;
  readonly configuration: readonly ConfigurationFile[];
  /** What it does for one answer. */
  readonly does: string;
  /** What else it does. */
  readonly more: string;
}

export interface Contestant extends Described {
  /** The environment variable that gives its program. */
  readonly variable: string;
  readonly command: string;
  /** Arguments with which the program prints its version. */
  readonly version: readonly string[];
  /** The Go module, at a version, that `go install` makes the program of. */
  readonly module?: string;
  start(program: string): Promise<SignedIn>;
}

interface Post {
  readonly address: string;
  readonly uri: string;
  readonly host?: string;
  readonly cookie?: string;
  readonly type?: string;
  readonly body?: string;
}

/** Sends what a page of a gate sends, as its front passes it on. */
export async function post({ address, uri, host = site.signIn, cookie, type, body = '' }: Post) {
  return sendRaw(address, {
    method: 'POST',
    uri,
    headers: [
      ['Host', host],
      ['X-Forwarded-For', '192.0.2.7'],
      ['X-Forwarded-Proto', 'https'],
      ['X-Forwarded-Host', host],
      ['Origin', `https://${host}`],
      ['Content-Type', type ?? 'application/json'],
      ...(cookie === undefined ? [] : [['Cookie', cookie] as const]),
    ],
    body,
  });
}

/** The cookies that an answer sets. @throws when it sets no cookie */
export function cookiesOf(answer: RawAnswer): string {
  const lines = answer.headers.get('set-cookie') ?? [];
  const cookies = lines
    .map((line) => line.split(';', 1)[0] ?? '')
    .filter((cookie) => !/^[^=]*=$/.test(cookie));
  if (answer.status >= 400 || cookies.length === 0)
    throw new Error(`signing in: ${answer.status} ${answer.body.slice(0, 200)}`);
  return cookies.join('; ');
}
