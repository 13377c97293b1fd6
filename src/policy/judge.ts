import { canonicalUri } from './canonical-uri.ts';
import { isCrossSite, isCrossSiteBehindProxy } from './cross-site.ts';
import { decide } from './decide.ts';
import type { CustomRoles, Grant } from './grant.ts';
import type { Identification } from './identify.ts';
import { isUnfilteredList } from './lists.ts';
import { refuseUnnamed } from './narrowed.ts';
import { hasHeader, headerValues, type RawHeaders } from './raw-headers.ts';
import type { Reason } from './reasons.ts';
import type { ResolveTarget } from './resolve-target.ts';
import type { Row } from './target-table.ts';
import { isPublicTo, isSpelt } from './public-path.ts';
import { refuseToEverybody } from './refused-to-everybody.ts';
import { completeTarget, type RecordedCameras, type Target } from './target.ts';
import { grantOfSubject } from './token-scope.ts';
import type { AccessRequest, Front, Subject, Verdict } from './verdict.ts';

/** What a verdict depends on, besides the request and its subject. */
export interface Rules {
  readonly customRoles: CustomRoles;
  readonly resolveTarget: ResolveTarget;
  readonly recorded: RecordedCameras;
  /** Names by which the internal edge may be called; lower-case. */
  readonly internalHosts: ReadonlySet<string>;
  /**
   * Whether what stands behind a front leaves out of its lists what a custom role is not granted, as far as that is known at
   * this moment.
   */
  readonly listsAreFiltered: (role: string, front: Front | undefined) => boolean;
  /** Prefix that a front takes away before it asks or passes on; empty when there is none. */
  readonly basePath: string;
}

/** A verdict, and what it was made of. */
export interface Judgement {
  readonly verdict: Verdict;
  /** Canonical path; undefined when there is no URI, or none that can be read. */
  readonly path?: string | undefined;
  /** The row of the table that matched. */
  readonly row?: Row | undefined;
  readonly target?: Target | undefined;
  /** The recorder had a say, by its database or by how it filters lists: another time it may say something else. */
  readonly askedRecorder?: true;
}

/** @returns the verdict on a request whose subject was identified, and why. */
export function judge(request: AccessRequest, identification: Identification, rules: Rules): Judgement {
  if (request.fault !== undefined) return { verdict: forbidden(request.fault.reason) };
  const outright = refuseToEverybody(request, rules.internalHosts);
  if (outright !== undefined) return { verdict: forbidden(outright) };
  const uri = request.uri === undefined ? undefined : readUri(request.uri, rules.basePath);
  const readable = uri === undefined || 'refused' in uri ? undefined : uri;
  const resolved = readable && rules.resolveTarget(readable, request.method);
  const found = { path: readable?.path, row: resolved?.row, target: resolved?.target };

  if (resolved?.target.kind === 'public' && isSpelt(request.uri, readable?.path)) {
    if (isPublicTo(request, resolved.row))
      return { ...found, verdict: { kind: 'allow', reason: 'public', subject: undefined, grant: new Set() } };
    if ('refused' in identification) return { ...found, verdict: forbidden('front_public_path') };
  }
  if ('refused' in identification) {
    return { ...found, verdict: unidentified(identification.refused) };
  }
  const { subject } = identification;
  const grant = grantOfSubject(subject, rules.customRoles);
  if (uri !== undefined && 'refused' in uri) return { ...found, verdict: forbidden(uri.refused, subject) };
  if (resolved === undefined) {
    const verdict = grant === 'all' ? allowed(subject, grant) : forbidden('uri_missing', subject);
    return { ...found, verdict };
  }
  const isNarrowed = subject.token?.cameras !== undefined;
  // The recorder is asked for roles that are limited to cameras alone: to the others its answer means nothing.
  const target =
    grant === 'all' ? resolved.target : completeTarget(resolved.target, rules.recorded, isNarrowed);
  const { row } = resolved;
  // What is not granted is left out by the recorder alone: to it a role that it does not know may be a viewer.
  const reliesOnRecorder = grant !== 'all' && isUnfilteredList(row, readable?.query ?? '');
  const refused =
    (subject.source === 'token' && row.byLogin === true ? 'login_needed' : undefined) ??
    decide(subject.role, grant, request.method, target, row.changes === true) ??
    (isNarrowed ? refuseUnnamed(row, target, request.method, readable?.query ?? '') : undefined) ??
    (reliesOnRecorder && !rules.listsAreFiltered(subject.role, request.front)
      ? 'recorder_role_unverified'
      : undefined) ??
    refuseCrossSite(request, subject);
  return {
    ...found,
    target,
    ...(target === resolved.target && !reliesOnRecorder ? {} : { askedRecorder: true }),
    verdict: refused === undefined ? allowed(subject, grant) : forbidden(refused, subject),
  };
}

/** A prefix that is still there is read by the gate as a part of the path, and may be taken away by whoever is next. */
function readUri(sent: string, basePath: string): ReturnType<typeof canonicalUri> {
  const uri = canonicalUri(sent);
  const isBelow = basePath !== '' && 'path' in uri && `${uri.path}/`.startsWith(`${basePath}/`);
  return isBelow ? { refused: 'uri_base_path' } : uri;
}

/** Known, but nobody here: to log in again would not help. */
function unidentified(reason: Reason): Verdict {
  return reason === 'no_role' ? forbidden(reason) : { kind: 'unauthenticated', reason, subject: undefined };
}

/**
 * What a page of another site would change, with what the browser has without that page's doing: our cookie, the cookie of a
 * proxy's sign-on, or its place inside of the network. A bearer it has not, be it a session token or an API token. A WebSocket is a GET that may say anything;
 * on the internal edge, services pass those of their own pages on.
 */
function refuseCrossSite({ method, headers, host }: AccessRequest, { source }: Subject): Reason | undefined {
  if (source === 'bearer' || source === 'token') return undefined;
  const isWebSocket = source !== 'internal' && opensWebSocket(headers);
  const changesState = isWebSocket || (method !== 'GET' && method !== 'HEAD');
  const isForeign = source === 'session' ? isCrossSite : isCrossSiteBehindProxy;
  return changesState && isForeign(headers, host) ? 'cross_site' : undefined;
}

/** By any of its signs: which of them a front passes on is the front's to choose (RFC 6455, 4.1; Fetch Metadata). */
function opensWebSocket(headers: RawHeaders): boolean {
  const says = (name: string, text: string) =>
    headerValues(headers, name).some((value) => value.toLowerCase().includes(text));
  return (
    hasHeader(headers, 'sec-websocket-key') ||
    says('sec-fetch-mode', 'websocket') ||
    says('upgrade', 'websocket')
  );
}

function allowed(subject: Subject, grant: Grant): Verdict {
  return { kind: 'allow', reason: 'allowed', subject, grant };
}

function forbidden(reason: Reason, subject?: Subject): Verdict {
  return { kind: 'forbidden', reason, subject };
}
