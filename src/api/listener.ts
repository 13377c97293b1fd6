import { contextOf, recipientOf } from '../http/fronts/client.ts';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { AuditLog } from '../audit/audit-log.ts';
import { AppError } from '../errors.ts';
import { fetchListener } from '../http/fetch-listener.ts';
import { canonicalOf } from '../policy/request-context.ts';
import { endSocket } from '../http/connections/cut-connection.ts';
import type { PasswordHasher } from '../accounts/users/password-hash.ts';
import type { Settings } from '../access/settings/settings.ts';
import { createRoundRobin, type Sliced } from '../round-robin.ts';
import type { Tallies } from '../telemetry/tallies.ts';
import { limitedLogin } from './login/end-login.ts';
import type { RequestFacts } from './environment.ts';
import type { Api } from './api.ts';
import type { DecisionTally } from '../telemetry/decision-tally.ts';
import type { Reader } from '../http/fronts/refusal-page.ts';
import { errorResponse } from '../http/fronts/refusal.ts';

/** The services that refuse a login. */
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
  // A flood comes in bursts: a decision waits for half a refusal at most.
  const refusals = createRoundRobin();
  return (incoming, outgoing) => {
    const { uri, client } = contextOf({ incoming, ...facts }, dependencies.settings);
    const isLogin =
      incoming.method === 'POST' && uri === '/api/login' && dependencies.settings.mode !== 'proxy';
    const refusal = isLogin ? refusalFor(dependencies.hasher) : undefined;
    if (refusal === undefined) listener(incoming, outgoing);
    else void refusals.run(client.address, turnAway(refusal, client.address, outgoing, dependencies));
  };
}

function refusalFor(hasher: TurnAwayDependencies['hasher']): unknown {
  try {
    hasher.requireRoom();
    return undefined;
  } catch (error) {
    return error;
  }
}

/** Refuses a login that is over the limit, before anything is allocated for it. */
function* turnAway(
  refusal: unknown,
  address: string,
  outgoing: ServerResponse,
  { audit, tallies }: TurnAwayDependencies,
): Sliced<void> {
  tallies.logins.limited += 1;
  void audit.record({ ...limitedLogin, address });
  yield;
  const { status, headers, body } = errorResponse(refusal);
  outgoing.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
  outgoing.end(body);
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
