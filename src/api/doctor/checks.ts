import { config, store } from './front/configuration-checks.ts';
import { directChecks } from './front/direct-checks.ts';
import type { FrontCheck } from './front/examination.ts';
import { originalUrl } from './front/original-url.ts';
import { recorderCameras, recorderRoles } from './front/recorder-checks.ts';
import { cookieRefresh, cookieSecure, forwardedFor, logout, session } from './front/session-checks.ts';
import { tls } from './front/tls.ts';
import { traversal } from './front/traversal.ts';
import { narrowedLists, upstreamIdentity } from './front/upstream-checks.ts';
import { aliases, authorizationReachable, loginRequired, spoofedIdentity } from './front/visitor-checks.ts';
import { discovery } from './provider/discovery.ts';
import type { ProviderCheck } from './provider/provider-examination.ts';
import { redirect, secret } from './provider/registration-checks.ts';
import { clock, keys } from './provider/signature-checks.ts';
import { signIns } from './provider/sign-in-checks.ts';
import { claims, groups, sessions } from './provider/user-checks.ts';

/*
 * Every check of the command. The checks of the gate's own state are in gate-checks.ts, which the API uses.
 */

/** Checks of a live front, for `postern doctor`, in order: the last ones sign out, and end the session that others need. */
export const frontChecks: readonly FrontCheck[] = [
  tls,
  loginRequired,
  spoofedIdentity,
  aliases,
  originalUrl,
  traversal,
  authorizationReachable,
  ...directChecks,
  session,
  cookieSecure,
  cookieRefresh,
  upstreamIdentity,
  narrowedLists,
  recorderRoles,
  recorderCameras,
  logout,
  forwardedFor,
  config,
  store,
];

/** Checks of the provider of `auth.oidc`, for `postern doctor --oidc`: discovery comes first, since the others need it. */
export const providerChecks: readonly ProviderCheck[] = [
  discovery,
  keys,
  clock,
  redirect,
  secret,
  claims,
  groups,
  sessions,
  signIns,
];
