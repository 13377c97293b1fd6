import type { InferResponseType } from 'hono/client';
import type { EventRecord } from '../events/event-record.ts';
import { callsBelow } from './calls.ts';
import { noteWhoAnswered } from './ui/event-text.ts';
import { pathTo } from './path-prefix.ts';
import { departTo, departToLogin, RedirectLoopError } from './departure.ts';
import { language, text } from './text.ts';
import { proveAgain } from './prove-again.ts';

export type { AuditEventName, ToldRecord as AuditRecord } from '../api/explain/audit.ts';

/** Why a form was not sent. */
export class FormProblem extends Error {
  override readonly name = 'FormProblem';
}

interface AnswerDetails {
  /** Seconds, from `Retry-After`. */
  readonly retryAfter?: number | undefined;
  /** Id of Postern's decision. Absent when it made none. */
  readonly decision?: string | undefined;
  /** Absent when the response was not JSON. */
  readonly body?: unknown;
}

/** An error response of the API, or no response at all. */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure';
  /** HTTP status; 0 when there was no answer. */
  readonly status: number;
  readonly retryAfter: number | undefined;
  readonly decision: string | undefined;
  readonly body: unknown;

  /** @param message tells a person what failed */
  constructor(status: number, message: string, answer: AnswerDetails = {}) {
    super(message);
    this.status = status;
    this.retryAfter = answer.retryAfter;
    this.body = answer.body;
    this.decision = answer.decision;
  }
}

/** @returns the `code` of one of Postern's errors */
export function codeIn(body: unknown): string | undefined {
  const code = typeof body === 'object' && body !== null && 'code' in body ? body.code : undefined;
  return typeof code === 'string' ? code : undefined;
}

/** Whether Postern refuses it to this user. */
export function isRefused(error: unknown): error is ApiFailure {
  return error instanceof ApiFailure && error.status === 403;
}

/**
 * Every call handles three cases here: redirects that only a browser can follow, the end of a session, and a request for a
 * fresh proof.
 */
export async function fetchThroughGate(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(input, { ...init, redirect: 'manual' }).catch(() => {
    throw new ApiFailure(0, text.progress.noAnswer);
  });
  if (response.type === 'opaqueredirect') return departTo(undefined);
  if (response.status === 403 && (await needsProof(response, init)) && (await proveAgain()))
    return fetchThroughGate(input, init);
  const location = response.headers.get('location');
  // Browsers show scripts no other redirect.
  if (response.status !== 401 || location === null) return response;
  const target = URL.parse(location, response.url);
  if (target === null || !/^https?:$/.test(target.protocol)) return response;
  const isLogin =
    target.origin === window.location.origin && ['/login', pathTo('/login')].includes(target.pathname);
  return isLogin ? departToLogin() : departTo(target);
}

/** Only changes need a fresh proof. */
async function needsProof(response: Response, init: RequestInit | undefined): Promise<boolean> {
  if ((init?.method ?? 'GET') === 'GET') return false;
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => undefined);
  return codeIn(body) === 'step_up_needed';
}

// The server gives its reason in the language of the page.
const inOurLanguage = { 'accept-language': language };
export const loginApi = callsBelow('/api/login', fetchThroughGate);
export const profileApi = callsBelow('/api/profile', fetchThroughGate);
export const usersApi = callsBelow('/api/users', fetchThroughGate);
export const userDetailsApi = callsBelow('/postern/api/users', fetchThroughGate);
export const camerasApi = callsBelow('/postern/api/cameras', fetchThroughGate);
export const lostCamerasApi = callsBelow('/postern/api/lost-cameras', fetchThroughGate);
export const attentionApi = callsBelow('/postern/api/attention', fetchThroughGate);
export const liveApi = callsBelow('/postern/api/live', fetchThroughGate);
export const rolesApi = callsBelow('/postern/api/roles', fetchThroughGate);
export const cameraGroupsApi = callsBelow('/postern/api/camera-groups', fetchThroughGate);
export const recorderRolesApi = callsBelow('/postern/api/recorder/roles', fetchThroughGate);
export const sessionsApi = callsBelow('/postern/api/sessions', fetchThroughGate);
export const apiTokensApi = callsBelow('/postern/api/tokens', fetchThroughGate);
export const configurationApi = callsBelow('/postern/api/configuration', fetchThroughGate);
export const doctorApi = callsBelow('/postern/api/doctor', fetchThroughGate);
export const firstRunApi = callsBelow('/postern/api/first-run', fetchThroughGate);
export const recorderAddressApi = callsBelow('/postern/api/recorder/address', fetchThroughGate);
export const versionApi = callsBelow('/postern/api/version', fetchThroughGate);
export const settingsApi = callsBelow('/postern/api/settings', fetchThroughGate);
export const notificationsApi = callsBelow('/postern/api/notifications', fetchThroughGate);
export const pushApi = callsBelow('/postern/api/push', fetchThroughGate, inOurLanguage);
export const ownEmailApi = callsBelow('/postern/api/account', fetchThroughGate);
export const accessRequestsApi = callsBelow('/postern/api/access-requests', fetchThroughGate);
export const appearanceApi = callsBelow('/postern/api/appearance', fetchThroughGate);
export const auditApi = callsBelow('/postern/api/audit', fetchThroughGate, inOurLanguage);
export const explainApi = callsBelow('/postern/api/explain', fetchThroughGate, inOurLanguage);
export const invitationsApi = callsBelow('/postern/api/invitations', fetchThroughGate);
export const displaysApi = callsBelow('/postern/api/displays', fetchThroughGate);
export const peopleApi = callsBelow('/postern/api/people', fetchThroughGate);
export const accessApi = callsBelow('/postern/api/access', fetchThroughGate);

export type Watched = InferResponseType<typeof auditApi.watched.$get, 200>['records'][number];
export type OwnAccessRequest = InferResponseType<typeof accessRequestsApi.own.$get, 200>[number];
export type Appearance = InferResponseType<typeof appearanceApi.index.$get, 200>;
export type Attention = InferResponseType<typeof attentionApi.index.$get, 200>[number];
export type LostCamera = InferResponseType<typeof lostCamerasApi.index.$get, 200>['lost'][number];
export type LiveCamera = InferResponseType<(typeof liveApi)[':camera']['$get'], 200>;

/** A link that gives an account, once. Times are seconds since the epoch. */
export type Invitation = InferResponseType<typeof invitationsApi.index.$get, 200>[number];
/** The same with its link, which is shown once. */
export type MadeInvitation = InferResponseType<typeof invitationsApi.index.$post, 201>;
/** A screen that stays signed in. Times are seconds since the epoch. */
export type Display = InferResponseType<typeof displaysApi.index.$get, 200>[number];

/** The current user, as returned by the API. */
export type Profile = InferResponseType<typeof profileApi.index.$get, 200>;
export type UserCounts = InferResponseType<typeof userDetailsApi.count.$get, 200>;
export type User = InferResponseType<typeof userDetailsApi.index.$get, 200>[number];
/** Someone with an account or an open invitation, and what they have. */
export type Person = InferResponseType<typeof peopleApi.index.$get, 200>[number];
export type ActiveSession = InferResponseType<typeof sessionsApi.index.$get, 200>['sessions'][number];
export type ApiToken = InferResponseType<typeof apiTokensApi.index.$get, 200>[number];
export type Findings = InferResponseType<typeof doctorApi.index.$get, 200>;
export type FirstRun = InferResponseType<typeof firstRunApi.index.$get, 200>;
export type RecorderTrial = InferResponseType<typeof recorderAddressApi.index.$post, 200>;
export type Explanation = InferResponseType<typeof explainApi.index.$post, 200>;
export type Access = InferResponseType<typeof accessApi.index.$get, 200>;
export type AccessOfRole = Access['rows'][number];
export type RecorderRoles = InferResponseType<typeof recorderRolesApi.index.$get, 200>;
export type CameraGroup = InferResponseType<typeof cameraGroupsApi.index.$get, 200>[number];
export type GroupChange = InferResponseType<
  (typeof cameraGroupsApi)[':name']['$put'],
  200
>['changes'][number];
export type AccessRow = InferResponseType<typeof accessApi.index.$get, 200>['rows'][number];
export type Role = InferResponseType<typeof rolesApi.index.$get, 200>[number];

interface JsonResponse {
  readonly ok: boolean;
  readonly status: number;
  readonly headers: Headers;
  json(): Promise<unknown>;
}

/** @returns the body of a successful response. @throws ApiFailure */
export async function bodyOf<R extends JsonResponse>(
  call: Promise<R>,
): Promise<Awaited<ReturnType<R['json']>>> {
  const answer = await call;
  const body = answer.status === 204 ? undefined : await answer.json().catch(() => undefined);
  if (!answer.ok) {
    const retryAfter = Number(answer.headers.get('retry-after') ?? Number.NaN);
    throw new ApiFailure(answer.status, messageIn(body) ?? statusText(answer.status), {
      retryAfter: Number.isFinite(retryAfter) ? retryAfter : undefined,
      body,
      decision: answer.headers.get('x-postern-decision') ?? undefined,
    });
  }
  return body as Awaited<ReturnType<R['json']>>;
}

/** Waits until something is ended. Success also when it is already gone. @param call ends it @throws ApiFailure */
export async function ended(call: Parameters<typeof bodyOf>[0]): Promise<void> {
  try {
    await bodyOf(call);
  } catch (error) {
    if (!(error instanceof ApiFailure && error.status === 404)) throw error;
  }
}

/** Events, and the query for the next page, if the response has one. */
interface EventList {
  readonly events: readonly EventRecord[];
  readonly next: string | undefined;
}

/** Reads events through Postern. @throws ApiFailure */
export async function readEvents(path: string, query: string): Promise<EventList> {
  const call = fetchThroughGate(pathTo(`${path}?${query}`));
  const events = (await bodyOf(call)) as EventRecord[];
  const { headers } = await call;
  noteWhoAnswered(headers);
  return { events, next: nextIn(headers.get('link')) };
}

/** @returns the status of a response whose body is not needed. @throws ApiFailure */
export async function statusOf(url: string): Promise<number> {
  const unread = new AbortController();
  const { status } = await fetchThroughGate(url, { signal: unread.signal });
  unread.abort();
  return status;
}

/** Reads the header that RFC 8288 defines, as Postern's own events app writes it. */
function nextIn(link: string | null): string | undefined {
  return /^<\?([^>]*)>; rel="next"$/.exec(link ?? '')?.[1];
}

function messageIn(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  // A recorder's own errors have none of Postern's codes.
  const code = codeIn(body);
  if (code !== undefined && Object.hasOwn(text.errors, code))
    return text.errors[code as keyof typeof text.errors];
  if ('message' in body) return String(body.message);
  if (!('detail' in body) || !Array.isArray(body.detail)) return undefined;
  return (body.detail as ReadonlyArray<{ msg?: unknown }>).map(({ msg }) => String(msg)).join('. ');
}

/** @returns the text for a response without a reason that a person can read */
function statusText(status: number): string {
  const words = text.progress;
  if (status >= 502) return words.recorderAway;
  if (status >= 500) return words.wentWrong;
  if (status === 429) return words.tooOften;
  return status === 404 ? words.gone : words.notPossible;
}

/** @returns the text to show for an error */
export function messageOf(error: unknown): string {
  const isTold =
    error instanceof ApiFailure || error instanceof RedirectLoopError || error instanceof FormProblem;
  return isTold ? error.message : text.progress.pageBroken;
}
