import type { Refused } from '../policy/decision.ts';
import type { IncomingMessage } from 'node:http';
import { AppError, errorAnswer } from '../errors.ts';
import { sessionReasons, type Reason } from '../policy/reasons.ts';

/** An answer of the gate itself, for whichever server renders it. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The client's own request is malformed: no login would mend it. */
const malformed: ReadonlySet<Reason> = new Set([
  'trusted_header_repeated',
  'trusted_header_alias',
  'trusted_header_hop_by_hop',
  'body_unreadable',
]);

/**
 * What a client is told of a refusal: the status and nothing of the reason.
 * @param loginUrl where to log in; undefined when there is no login of ours
 * @param wantsPage whether the client is a browser that navigates
 * @param decision the id by which an operator finds the reason
 * @param navigatedTo request target of a GET; a browser that wanted a page there is sent to the login, and back after
 */
export function refusalAnswer(
  refused: Refused,
  loginUrl: string | undefined,
  wantsPage: boolean,
  decision: string,
  navigatedTo?: string,
): Answer {
  const answer = answerTo(refused, loginUrl, wantsPage, navigatedTo);
  return { ...answer, headers: { ...answer.headers, 'x-postern-decision': decision } };
}

// Browsers and proxies take no header of any length.
const longestReturn = 2_048;

function answerTo(
  refused: Refused,
  loginUrl: string | undefined,
  wantsPage: boolean,
  navigatedTo: string | undefined,
): Answer {
  if (malformed.has(refused.reason)) return errorResponse(new AppError('bad_request'), wantsPage);
  // Who reaches the internal entry point is admin, and has to learn which key it is.
  if (refused.reason === 'host_unknown') return errorResponse(new AppError('host_unknown'), wantsPage);
  if (refused.outcome === 'forbidden') return errorResponse(new AppError('forbidden'), wantsPage);
  const answer = errorResponse(new AppError('unauthenticated'), wantsPage, loginUrl);
  const offersLogin = loginUrl !== undefined && sessionReasons.has(refused.reason);
  if (offersLogin && wantsPage && navigatedTo !== undefined) {
    const next = navigatedTo.length > longestReturn ? '' : `?next=${encodeURIComponent(navigatedTo)}`;
    const location = `${loginUrl}${next}`;
    return { status: 303, headers: { 'cache-control': 'no-store', location }, body: '' };
  }
  return offersLogin ? { ...answer, headers: { ...answer.headers, location: loginUrl } } : answer;
}

/** Any error as an answer: JSON, or a page for a browser that navigates. */
export function errorResponse(error: unknown, wantsPage: boolean, link?: string): Answer {
  const { status, body } = errorAnswer(error);
  const retryAfterSeconds = error instanceof AppError ? error.retryAfterSeconds : undefined;
  const common = {
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }),
  };
  if (!wantsPage) {
    return { status, headers: { ...common, 'content-type': 'application/json' }, body: JSON.stringify(body) };
  }
  const headers = {
    ...common,
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
  };
  return { status, headers, body: page(`${status} ${body.message}`, link) };
}

/** Whether a browser will show the answer to a person (RFC 9110, 12.5.1; Fetch Metadata where sent). */
export function wantsPage(header: (name: string) => string | undefined): boolean {
  const mode = header('sec-fetch-mode');
  if (mode !== undefined) return mode === 'navigate';
  return header('accept')?.includes('text/html') ?? false;
}

/** The same of a request of Node's. */
export function asksForPage({ headers }: IncomingMessage): boolean {
  return wantsPage((name) => {
    const value = headers[name];
    return typeof value === 'string' ? value : undefined;
  });
}

function page(title: string, link: string | undefined): string {
  const login = link === undefined ? '' : `<p><a href="${link}">Log in</a></p>`;
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${title}</title><h1>${title}</h1>${login}</html>\n`;
}
