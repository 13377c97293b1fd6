import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AuditEntry } from '../audit/audit-entry.ts';
import { listenerKeys } from '../config/changes.ts';
import type { ListenAddress } from '../config/listen.ts';
import { guardConnections, serverOptions } from '../http/connections/guard-connections.ts';
import type { AppError } from '../errors.ts';
import { isSample } from '../events/sample.ts';
import { createEventsApp, type RefusedLookup } from '../events/events-app.ts';
import { fetchListener } from '../http/fetch-listener.ts';
import { recipientOf } from '../http/fronts/client.ts';
import { errorResponse } from '../http/fronts/refusal.ts';
import { clientAddress, type InNetworks } from '../policy/client-address.ts';
import { accessOfRole } from '../policy/role-access.ts';
import type { Settings } from '../access/settings/settings.ts';
import type { Current } from './current.ts';
import type { Listen, Listening } from '../http/listen.ts';
import { maxHeaderSize } from '../http/long-requests.ts';
import type { Runtime } from './runtime.ts';
import type { Foundation } from './foundation.ts';

/** @returns a function that lets the events app listen at an address */
export function eventsListeners(
  { requestLog, clock, audit, tallies, roundRobin, database }: Foundation,
  { configuration, runtime }: Current<Runtime>,
  closing: AsyncDisposableStack,
): (at: ListenAddress, openListener: Listen) => Promise<Listening> {
  const app = createEventsApp({
    database,
    roundRobin,
    logger: requestLog,
    sample: { isServed: () => isSample(configuration()), now: () => clock.now() },
    grantOf: async (role) => {
      const { currentRoles, settings } = runtime();
      const grant = accessOfRole(role, settings.rules.roles).cameras;
      if (grant === 'all' || currentRoles.areCurrent()) return grant;
      await currentRoles.renew();
      return accessOfRole(role, runtime().settings.rules.roles).cameras;
    },
    onRefused: (refused) => void audit.record(refusedLookup(refused, runtime().settings.isTrustedProxy)),
    errorPage: (error, incoming) => eventsErrorPage(error, incoming, runtime().settings),
  });
  return async (at, openListener) => {
    const server = createServer(
      { ...serverOptions, maxHeaderSize: maxHeaderSize.front },
      fetchListener(app.fetch),
    );
    guardConnections(
      server,
      () => configuration().limits,
      (fault) => (tallies.limited[fault] += 1),
    );
    const listening = await openListener(server, at, listenerKeys.events);
    closing.defer(() => listening.close());
    return listening;
  };
}

/** Each process has its own events app for what it passes on itself: its path is known before it listens. */
export function privateSocket(closing: AsyncDisposableStack): { readonly path: string } {
  const directory = mkdtempSync(join(tmpdir(), 'postern-'));
  closing.defer(() => rmSync(directory, { recursive: true, force: true }));
  return { path: join(directory, 'events.sock') };
}

/** Requests that the gate or another front permitted. Each of the two sends the prefix that the client has used. */
function eventsErrorPage(
  error: AppError,
  incoming: IncomingMessage,
  settings: Settings,
): Response | undefined {
  const facts = { entryPoint: 'authenticated', listener: 'relay', tls: false } as const;
  const { reader } = recipientOf({ incoming, ...facts }, settings);
  if (reader === undefined) return undefined;
  const { status, headers, body } = errorResponse(error, reader);
  return new Response(body, { status, headers });
}

/** Requests that a decision permitted; the events app finds out what they were for. */
function refusedLookup(
  { user, role, forwardedFor, path }: RefusedLookup,
  isTrustedProxy: InNetworks,
): AuditEntry {
  const hops = { peer: undefined, behindFront: true, forwardedFor: [forwardedFor] };
  const address = clientAddress(hops, isTrustedProxy);
  return { event: 'refused', reason: 'camera_not_granted', user, role, address, object: path };
}
