import type { IncomingMessage, RequestListener } from 'node:http';
import { addressKey } from '../accounts/limits/failure-limit.ts';
import type { Api } from '../api/api.ts';
import { apiListener } from '../api/listener.ts';
import type { Authorization } from '../access/authorize.ts';
import type { OpenStream } from '../access/streams/stream.ts';
import { AppError } from '../errors.ts';
import {
  contextOf,
  sharedMediaContextOf,
  clientOf,
  connectionBehindFront,
  connectionOfClient,
  type ListenerFacts,
  recipientOf,
} from '../http/fronts/client.ts';
import { identityOf } from '../http/fronts/front-answer.ts';
import { errorResponse, refusalAnswer } from '../http/fronts/refusal.ts';
import type { EntryPoint, RequestContext } from '../policy/request-context.ts';
import type { Reader } from '../http/fronts/refusal-page.ts';
import type { Grant } from '../policy/grant.ts';
import {
  recorderMessages,
  type CountMove,
  isOffering,
  offeredMessages,
} from '../http/reverse-proxy/recorder-messages.ts';
import { send } from '../http/reverse-proxy/client-end.ts';
import type { SharedMedia } from '../http/reverse-proxy/shared-media.ts';
import type { PassingDependencies, ReverseProxyDependencies } from '../http/reverse-proxy/reverse-proxy.ts';
import { passedHeaders, strippedHeaders } from '../http/reverse-proxy/upstream-headers.ts';
import type { Upstream } from '../http/reverse-proxy/upstream.ts';
import type { Settings } from '../access/settings/settings.ts';
import type { Configuration } from '../config/configuration.ts';
import { isOwnCookie } from '../policy/own-cookies.ts';
import type { Recorder } from '../recorder/connect-recorder.ts';
import { changedAnswers } from '../recorder/whole-answer.ts';
import type { Services } from './services.ts';
import type { WarnOnce } from '../telemetry/logger.ts';

type OwnListener = ListenerFacts & { readonly listener: 'client-facing' | 'forward-auth' };

/** Passes permitted requests on to `upstream`. */
export interface ReverseProxies {
  /** For the embedded front of an entry point. */
  front(entryPoint: EntryPoint, tls: boolean): ReverseProxyDependencies;
  /** The gate's own answers, on a listener. */
  own(facts: OwnListener): RequestListener;
  /** For passing on media of shares, on such a listener. */
  sharedMedia(facts: OwnListener, media: SharedMedia): PassingDependencies;
  /** For the relay of an entry point, for other fronts. */
  relay(entryPoint: EntryPoint): ReverseProxyDependencies;
}

/** Parts of one configuration. */
interface ProxyParts {
  readonly configuration: Configuration;
  readonly settings: Settings;
  readonly authorization: Pick<Authorization, 'authorize' | 'evaluate' | 'record'>;
  readonly api: Pick<Api, 'fetch'>;
  readonly upstream: Upstream;
  /** Absent when there is none. */
  readonly recorder: Recorder | undefined;
  /** Absent when there are no shares. */
  readonly media: SharedMedia | undefined;
  /** The current proxies, which may be others. */
  readonly current: () => Pick<ReverseProxies, 'sharedMedia'>;
}

/** The embedded front and the relay of one configuration: they differ only in how they find the client's address. */
export function composeReverseProxies(services: Services, parts: ProxyParts): ReverseProxies {
  const { audit, tallies, requestLog, warnOnce } = services.foundation;
  const { streams, cameraMoves } = services.watching;
  const { isOwn } = services.ownPaths;
  const { configuration, settings, authorization, media } = parts;
  const { hasher } = services.accounts;
  const hasRecorder = configuration.upstream !== undefined;

  const countMove: CountMove = (stream, camera) =>
    cameraMoves.count(stream, camera, (name) => isCamera(name, stream.permitted.grant, settings));

  const messageFilterOf = (stream: OpenStream, request: RequestContext) => {
    const { permitted } = stream;
    if (permitted.rule?.messages === true) return recorderMessages(stream, countMove);
    return isOffering(permitted)
      ? offeredMessages(stream, (refused) => void authorization.record(request, refused))
      : undefined;
  };

  const forwarding = {
    upstream: parts.upstream,
    hops: services.forwarding.hops,
    secret: parts.recorder?.authSecret,
    strippedHeaders: strippedHeaders(configuration.proxy.trustedHeaders),
    headers: passedHeaders(isOwnCookie(configuration.auth.cookieName)),
    identityOf,
    transformers: [changedAnswers],
  };

  const clientOn = (facts: ListenerFacts, connectionOf: typeof connectionOfClient) => ({
    contextOf: (incoming: IncomingMessage) => contextOf({ incoming, ...facts }, settings),
    connectionOf: (incoming: IncomingMessage) => connectionOf({ incoming, ...facts }, settings),
    isDenied: (incoming: IncomingMessage) => contextOf({ incoming, ...facts }, settings).denial !== undefined,
    addressOf: (incoming: IncomingMessage) => clientOf({ incoming, ...facts }, settings).address,
    keyOf: (incoming: IncomingMessage) => addressKey(clientOf({ incoming, ...facts }, settings).address),
  });

  const passing = (facts: ListenerFacts, connectionOf: typeof connectionOfClient): PassingDependencies => ({
    logger: requestLog,
    client: clientOn(facts, connectionOf),
    authorize: authorization.authorize,
    evaluate: authorization.evaluate,
    streams,
    refusalAnswer: (refused, incoming, decision) =>
      refusalAnswer(refused, recipientOf({ incoming, ...facts }, settings), decision),
    errorAnswer: (error, incoming, known) =>
      errorResponse(error, recipientOf({ incoming, ...facts }, settings).reader, known),
    messageFilterOf: (stream, incoming) =>
      messageFilterOf(stream, contextOf({ incoming, ...facts }, settings)),
    forwarding,
  });

  const sharedMedia = (facts: OwnListener, { headers, refusal }: SharedMedia): PassingDependencies => {
    const isDirect = facts.listener === 'client-facing';
    const passed = passing(facts, isDirect ? connectionOfClient : connectionBehindFront);
    // Users with nothing but a link get no page that leads into the site.
    const errorAnswer = (error: unknown) => errorResponse(error);
    return {
      ...passed,
      client: {
        ...passed.client,
        contextOf: (incoming) => sharedMediaContextOf({ incoming, ...facts }, settings),
      },
      refusalAnswer: (refused, _, decision, error) => refusal(refused, decision, error, errorAnswer),
      errorAnswer,
      forwarding: { ...forwarding, headers, transformers: [] },
    };
  };

  /** Streams media of a share from the recorder to the client, where there are shares; the API answers everything else. */
  const own = (facts: OwnListener): RequestListener => {
    const answers = apiListener(parts.api, facts, { settings, hasher, audit, tallies });
    if (media === undefined) return answers;
    const passOn = media.serve(() => parts.current().sharedMedia(facts, media));
    const isMedia = (incoming: IncomingMessage) =>
      media.isTarget(contextOf({ incoming, ...facts }, settings).uri ?? '');
    return (incoming, outgoing) => (isMedia(incoming) ? passOn : answers)(incoming, outgoing);
  };

  return {
    own,
    sharedMedia,
    front: (entryPoint, tls) => {
      const facts = { entryPoint, tls, listener: 'client-facing' } as const;
      return {
        ...passing(facts, connectionOfClient),
        isOwnPath: (path) => isOwn(path, hasRecorder, entryPoint),
        own: own(facts),
        basePath: () => settings.rules.basePath,
      };
    },
    relay: (entryPoint) => {
      const facts = { entryPoint, tls: false, listener: 'relay' } as const;
      return {
        ...passing(facts, connectionBehindFront),
        isOwnPath: (path) => isOwn(path, hasRecorder, entryPoint) || isBelowAuthz(path),
        own: refuseOwnPath(warnOnce, (incoming) => recipientOf({ incoming, ...facts }, settings).reader),
        // The front has removed it.
        basePath: () => '',
      };
    },
  };
}

/** Whether there is such a camera, as far as is known. */
function isCamera(name: string, grant: Grant, { allCameras }: Settings): boolean {
  try {
    return grant === 'all' ? allCameras().includes(name) : grant.has(name);
  } catch {
    // They are only in the recorder's database, which is away.
    return false;
  }
}

/** A front that asks at the relay would take any answer of the recorder's for permission. */
function isBelowAuthz(path: string): boolean {
  return path === '/api/authz' || path.startsWith('/api/authz/');
}

/** The gate's own paths belong to its forward-auth listener: here nothing answers them. */
function refuseOwnPath(
  warnOnce: WarnOnce,
  readerOf: (incoming: IncomingMessage) => Reader | undefined,
): RequestListener {
  return (incoming: IncomingMessage, outgoing) => {
    warnOnce(
      'own path at a relay',
      { path: incoming.url },
      "a front sends a path of Postern's own to networking.relay, which answers none of them: it belongs to networking.forward_auth",
    );
    incoming.resume();
    send(outgoing, errorResponse(new AppError('not_found'), readerOf(incoming)));
  };
}
