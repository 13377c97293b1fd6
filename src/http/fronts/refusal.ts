import type { Refused } from '../../policy/decision.ts';
import type { IncomingMessage } from 'node:http';
import { AppError, errorAnswer, type Answer, type ErrorCode } from '../../errors.ts';
import { challenge } from '../../policy/challenge.ts';
import { sessionReasons, type Reason } from '../../policy/reasons.ts';
import { wholeSeconds } from '../../clock.ts';
import type { Opening } from '../../policy/schedule.ts';
import { askingScriptPolicy, scriptPolicy, stylePolicy } from './page-look.ts';
import { backTo, refusalPage, waitsForRecorder, type Reader, type RefusalPage } from './refusal-page.ts';

/** The client's own request is malformed: signing in would not help. */
const malformed: ReadonlySet<Reason> = new Set([
  'trusted_header_repeated',
  'trusted_header_alias',
  'trusted_header_hop_by_hop',
  'body_unreadable',
]);

/** @returns the error of a request that could not be decided, or `undefined` for one that was refused */
export function failureCode(
  reason: Reason,
): 'store_unavailable' | 'events_unavailable' | 'internal' | undefined {
  if (reason === 'failure') return 'internal';
  return reason === 'store_unavailable' || reason === 'events_unavailable' ? reason : undefined;
}

/** Errors shown after a login at a provider that gives no access, or comes at the wrong time: only what helps. */
const toldErrors: Partial<Record<Reason, ErrorCode>> = {
  oidc_attempt_unknown: 'sign_on_unfinished',
  oidc_refused: 'sign_on_refused',
  oidc_unreachable: 'sign_on_away',
  oidc_protocol_error: 'sign_on_failed',
  // No one may find out which names exist here.
  oidc_name_invalid: 'sign_on_name',
  oidc_name_taken: 'sign_on_name',
  oidc_email_refused: 'sign_on_no_access',
  oidc_no_role: 'sign_on_no_access',
  user_blocked: 'sign_on_no_access',
  role_outside_schedule: 'outside_schedule',
  clock_behind: 'clock_wrong',
  stopped: 'stopped',
};

/** Seconds until an unavailable provider is asked again. */
const providerRetrySeconds = 10;

/** The client that an answer is for. */
export interface Recipient {
  /** A browser that navigates gets a page. Absent for a program, which gets JSON. */
  readonly reader: Reader | undefined;
  /** Where to sign in. Absent when the gate has no login. */
  readonly loginUrl: string | undefined;
  /** Time zone of schedules. */
  readonly zone: string;
  /** Whether a 401 asks for a password, as programs expect. Absent for browsers, and where no password would be accepted. */
  readonly isChallenged?: boolean;
}

/** Additional information about a request that failed. */
export type Known = Pick<RefusalPage, 'identity' | 'decision' | 'opening' | 'camera' | 'granted'>;

/**
 * The client's view of a refusal: the status and the identity, without the reason.
 * @param decision the id by which an operator can find the reason
 */
export function refusalAnswer(refused: Refused, recipient: Recipient, decision: string): Answer {
  const answer = answerTo(refused, recipient, decision);
  return { ...answer, headers: { ...answer.headers, 'x-postern-decision': decision } };
}

function answerTo(refused: Refused, recipient: Recipient, decision: string): Answer {
  const { outcome, reason, identity } = refused;
  const { reader, loginUrl, isChallenged = false } = recipient;
  const known = { identity, decision };
  if (malformed.has(reason)) return errorResponse(new AppError('bad_request'), reader, known);
  // Clients of the internal entry point are admins, and have to learn which setting it is.
  if (reason === 'host_unknown') return errorResponse(new AppError('host_unknown'), reader, known);
  const failure = failureCode(reason);
  if (failure !== undefined) return errorResponse(new AppError(failure), reader, known);
  if (reason === 'second_factor_missing' && reader?.navigatedTo !== undefined) return leadToAccount(reader);
  if (outcome === 'forbidden') {
    const code = toldErrors[reason] ?? 'forbidden';
    const wait = code === 'sign_on_away' ? { retryAfterSeconds: providerRetrySeconds } : undefined;
    const opening = identity?.source === 'share' ? undefined : refused.opening;
    return errorResponse(
      new AppError(code, { ...wait, ...(opening && { also: openingBody(opening, recipient.zone) }) }),
      reader,
      {
        ...known,
        opening,
        camera: namedCamera(refused),
        granted: refused.granted,
      },
    );
  }
  const offersLogin = loginUrl !== undefined && sessionReasons.has(reason);
  if (offersLogin && reader?.navigatedTo !== undefined) {
    const location = `${loginUrl}${backTo(reader)}`;
    return { status: 303, headers: { 'cache-control': 'no-store', location }, body: '' };
  }
  const answer = errorResponse(new AppError('unauthenticated'), reader, known);
  return {
    ...answer,
    headers: {
      ...answer.headers,
      ...(offersLogin && { location: loginUrl }),
      ...(isChallenged && { 'www-authenticate': challenge }),
    },
  };
}

/**
 * The camera that a user who has an account named themselves: that of an event is not theirs to learn, and neither is whether there is
 * a camera of this name.
 */
function namedCamera({ reason, identity, rule, path }: Refused): string | undefined {
  const isAboutCameras = reason === 'camera_not_granted' || reason === 'target_unresolved';
  if (!isAboutCameras || identity?.source !== 'session') return undefined;
  const place = rule?.path.split('/').findIndex((segment) => segment === ':camera' || segment === ':known');
  return place === undefined ? undefined : path?.split('/')[place];
}

/** When a user's own access opens again: with the time zone in which the gate keeps its schedules. */
export function openingBody({ opens, closedSince }: Opening, zone: string) {
  return {
    opens: opens === undefined ? null : wholeSeconds(opens),
    closed_since: closedSince === undefined ? null : wholeSeconds(closedSince),
    zone,
  };
}

/** Leads users to the page on which they set up a required second factor. */
function leadToAccount({ prefix }: Reader): Answer {
  const location = `${prefix}/postern/account`;
  return { status: 303, headers: { 'cache-control': 'no-store', location }, body: '' };
}

/** Any error as an answer: JSON, or a page for a reader. */
export function errorResponse(error: unknown, reader?: Reader, known?: Known): Answer {
  const { status, headers, body } = errorAnswer(error);
  const common = {
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...headers,
  };
  if (reader === undefined) {
    return { status, headers: { ...common, 'content-type': 'application/json' }, body: JSON.stringify(body) };
  }
  const retryAfterSeconds = error instanceof AppError ? error.retryAfterSeconds : undefined;
  return {
    status,
    headers: { ...common, ...pageHeaders(reader, { ...known, status }) },
    body: refusalPage({ ...known, status, code: body.code, retryAfterSeconds }, reader),
  };
}

/** Header lines of such a page. */
function pageHeaders(reader: Reader, { camera, status }: Pick<RefusalPage, 'camera' | 'status'>) {
  const { language, logoutUrl, house } = reader;
  const { style, hasPicture } = house;
  // The page looks whether the camera was asked for, or whether the recorder answers again.
  const asks = camera !== undefined && reader.mayAsk;
  const connect = asks || waitsForRecorder({ status }, reader) ? " connect-src 'self';" : '';
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-language': language,
    'content-security-policy': `${stylePolicy}${style === undefined ? '' : ` ${style.source}`}; ${asks ? askingScriptPolicy : scriptPolicy};${connect} form-action ${formActions(logoutUrl)}; img-src ${hasPicture ? "'self' " : ''}data:; frame-ancestors 'none'`,
    // With `no-referrer` the logout form would come from the origin `null`, and count as cross-site.
    'referrer-policy': 'same-origin',
  };
}

/** Browsers apply `form-action` to redirects too: the logout form may end at logout_url. */
export function formActions(logoutUrl: string | undefined): string {
  const origin = logoutUrl === undefined ? undefined : URL.parse(logoutUrl)?.origin;
  return origin === undefined ? "'self'" : `'self' ${origin}`;
}

/** Whether a browser will show the answer to a person (RFC 9110, 12.5.1; Fetch Metadata where sent). */
export function wantsPage(header: (name: string) => string | undefined): boolean {
  const mode = header('sec-fetch-mode');
  if (mode !== undefined) return mode === 'navigate';
  return header('accept')?.includes('text/html') ?? false;
}

/** `wantsPage` for a request of Node's. */
export function asksForPage({ headers }: IncomingMessage): boolean {
  return wantsPage((name) => {
    const value = headers[name];
    return typeof value === 'string' ? value : undefined;
  });
}
