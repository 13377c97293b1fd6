import { configProbe } from './config-probe.ts';
import { eventsDirectProbe, gateDirectProbe, internalDirectProbe } from './direct-probes.ts';
import { forwardedForProbe } from './forwarded-for-probe.ts';
import { aliasesProbe, spoofedIdentityProbe } from './identity-probes.ts';
import { loginRequiredProbe, authorizationReachableProbe } from './nobody-probes.ts';
import { narrowedListsProbe } from './narrowed-lists-probe.ts';
import { originalUrlProbe } from './original-url-probe.ts';
import type { Probe } from './probe.ts';
import { recorderCamerasProbe } from './recorder-cameras-probe.ts';
import { recorderRolesProbe } from './recorder-roles-probe.ts';
import { cookieRefreshProbe, cookieSecureProbe, logoutProbe, sessionProbe } from './session-probes.ts';
import { storeProbe } from './store-probe.ts';
import { tlsProbe } from './tls-probe.ts';
import { traversalProbe } from './traversal-probe.ts';
import { upstreamIdentityProbe } from './upstream-identity-probe.ts';

/** Every probe, in the order in which they run: the logout ends the session that others need. */
export const probes: readonly Probe[] = [
  tlsProbe,
  loginRequiredProbe,
  spoofedIdentityProbe,
  aliasesProbe,
  originalUrlProbe,
  traversalProbe,
  authorizationReachableProbe,
  gateDirectProbe,
  eventsDirectProbe,
  internalDirectProbe,
  sessionProbe,
  cookieSecureProbe,
  cookieRefreshProbe,
  upstreamIdentityProbe,
  narrowedListsProbe,
  recorderRolesProbe,
  recorderCamerasProbe,
  logoutProbe,
  forwardedForProbe,
  configProbe,
  storeProbe,
];
