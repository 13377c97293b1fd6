import { sendRaw } from '../../../test/support/raw-http.ts';
import { authorizationRequest } from '../authorization-requests.ts';
import { site, type SignedIn } from './contestant.ts';

/** What nginx asks the gate about a request of the client. */
export function questionTo({ origin }: SignedIn, uri: string, cookie?: string) {
  const identity: Readonly<Record<string, string>> = cookie === undefined ? {} : { Cookie: cookie };
  return { ...authorizationRequest(identity, `${origin}${uri}`), Host: site.recorder };
}

/** The status of the answers to one question. */
export interface Answers {
  readonly session: number;
  readonly none: number;
  /** With cookies of which one character differs. */
  readonly forged: number;
}

/** @throws when the session isn't allowed, or anyone else is */
export async function checkAnswers(name: string, gate: SignedIn, uri: string): Promise<Answers> {
  const answers = {
    session: await statusOf(gate, uri, gate.cookie),
    none: await statusOf(gate, uri),
    forged: await statusOf(gate, uri, forged(gate.cookie)),
  };
  if (!isAllowed(answers.session) || isAllowed(answers.none) || isAllowed(answers.forged))
    throw new Error(`${name} answers ${JSON.stringify(answers)} about ${uri}`);
  return answers;
}

export async function statusOf(gate: SignedIn, uri: string, cookie?: string): Promise<number> {
  const headers = Object.entries(questionTo(gate, uri, cookie));
  const { status } = await sendRaw(gate.address, { uri: gate.path, headers });
  return status;
}

export function isAllowed(status: number): boolean {
  return status >= 200 && status < 300;
}

/** The last characters may be padding, which some decoders don't look at. */
function forged(cookies: string): string {
  return cookies
    .split('; ')
    .map((cookie) => {
      const at = cookie.length - 6;
      return `${cookie.slice(0, at)}${cookie[at] === 'A' ? 'B' : 'A'}${cookie.slice(at + 1)}`;
    })
    .join('; ');
}
