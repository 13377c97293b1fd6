import { contextOf } from '../http/fronts/client.ts';
import type { IncomingMessage, RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { AuditLog } from '../audit/audit-log.ts';
import { AppError } from '../errors.ts';
import { fetchListener } from '../http/fetch-listener.ts';
import { canonicalOf } from '../policy/request-context.ts';
import { endSocket } from '../http/connections/end-socket.ts';
import type { PasswordHasher } from '../identity/users/password-hash.ts';
import type { Settings } from '../access/settings/settings.ts';
import type { Tallies } from '../telemetry/tallies.ts';
import { limitedLogin } from './login/limited-login.ts';
import type { RequestFacts } from './environment.ts';
import type { Api } from './api.ts';
import type { DecisionTally } from '../telemetry/decision-tally.ts';
import { recipientOf } from '../http/fronts/recipient.ts';
import type { Reader } from '../http/fronts/refusal-page.ts';
import { errorResponse } from '../http/fronts/refusal.ts';

/** What it takes to refuse a login. */
export interface TurnAwayDependencies {
  readonly settings: Settings;
  readonly hasher: Pick<PasswordHasher, 'requireRoom'>;
  readonly audit: Pick<AuditLog, 'record'>;
  readonly tallies: Pick<Tallies, 'logins'>;
}

/** Binds the API to a listener: no request can change its entry point and kind. */
export function apiListener(
  api: Pick<Api, 'fetch'>,
  facts: Pick<RequestFacts, 'entryPoint' | 'listener' | 'tls'>,
  dependencies: TurnAwayDependencies,
): RequestListener {
  const listener = fetchListener(
    (request, env) => {
      const incoming = env.incoming as IncomingMessage;
      const uri = canonicalOf(contextOf({ incoming, ...facts }, dependencies.settings));
      if (uri === undefined || 'refused' in uri)
        return refuse(
          new AppError('forbidden'),
          recipientOf({ incoming, ...facts }, dependencies.settings).reader,
        );
      return api.fetch(request, { ...env, ...facts, path: uri.path });
    },
    { errorHandler: () => refuse(new AppError('bad_request')) },
  );
  return (incoming, outgoing) => {
    const turnedAway = turnAway(incoming, facts, dependencies);
    if (turnedAway === undefined) {
      listener(incoming, outgoing);
      return;
    }
    const { status, headers, body } = errorResponse(turnedAway);
    outgoing.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
    outgoing.end(body);
  };
}

/**
 * Refuses a login that is over the limit before anything is allocated for it: a flood comes in bursts, and each burst delays
 * the next decision.
 */
function turnAway(
  incoming: IncomingMessage,
  facts: Pick<RequestFacts, 'entryPoint' | 'listener' | 'tls'>,
  { settings, hasher, audit, tallies }: TurnAwayDependencies,
): unknown {
  if (incoming.method !== 'POST' || settings.mode === 'proxy') return undefined;
  const { uri, client } = contextOf({ incoming, ...facts }, settings);
  if (uri !== '/api/login') return undefined;
  try {
    hasher.requireRoom();
    return undefined;
  } catch (error) {
    tallies.logins.limited += 1;
    void audit.record({ ...limitedLogin, address: client.address });
    return error;
  }
}

/**
 * Refuses a forward-auth request that Node cannot even parse (a control character in a header, headers
 * that are too long). Node's own 400 or 431 would be an error to a front, and 500 to the client. It would leave CONNECT
 * without an answer.
 */
export function refuseUnparsable(
  server: Server,
  audit: Pick<AuditLog, 'record'>,
  tally: DecisionTally,
): void {
  const record = (address: string | undefined, cause: string | undefined) => {
    tally.count(undefined, 'unauthenticated', 'request_unparsable', undefined);
    const detail = { verdict: 'unauthenticated', cause };
    void audit.record({ event: 'refused', address, reason: 'request_unparsable', detail });
  };
  server.on('connect', ({ socket: { remoteAddress } }, socket) => {
    // Node has removed its own listeners: without this one, a client that disconnects would crash the process.
    socket.on('error', () => socket.destroy());
    record(remoteAddress, 'CONNECT');
    endSocket(socket, unauthorized);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    record((socket as Socket).remoteAddress, error.code);
    if (socket.writable) socket.end(unauthorized);
    else socket.destroy();
  });
}

const unauthorized = 'HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\nConnection: close\r\n\r\n';

function refuse(error: AppError, reader?: Reader): Response {
  const { status, headers, body } = errorResponse(error, reader);
  return new Response(body, { status, headers });
}
