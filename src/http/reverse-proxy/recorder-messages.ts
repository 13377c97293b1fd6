import type { OpenStream } from '../../access/streams/stream.ts';
import type { Allowed, Refused } from '../../policy/decision.ts';
import { areMessagesFiltered, areRequestsRead } from '../../policy/evaluate/revalidation.ts';
import { readJson } from '../../policy/json.ts';
import { messageFor, requestOf } from '../../policy/recorder/messages.ts';
import { mayMove, ptzCommandOf, TurningCameras } from '../../policy/recorder/ptz.ts';
import { anything, onlyText, type MessageFilter, onlyTextOfClient } from './message-filter.ts';
import { forbidden } from '../../policy/evaluate/decide.ts';
import { longestBody } from '../../policy/recorder/named-in-body.ts';
import {
  mayOfferAnything,
  messageToPlayer,
  mostCandidates,
  offerPlaceOf,
  readOfferedMessage,
} from '../../policy/recorder/offers.ts';
import type { Reason } from '../../policy/reasons.ts';

/** The stream of a WebSocket, decided again while it is open. */
type MessageStream = Pick<OpenStream, 'permitted' | 'id' | 'address' | 'onGoOn'>;

/** Whether a client may move a camera at this moment: not too often. It is counted, and recorded. */
export type CountMove = (
  stream: Pick<MessageStream, 'permitted' | 'id' | 'address'>,
  camera: string,
) => boolean;

/**
 * The messages of a recorder's `/ws`, always by the last decision on the stream. A camera that is set moving turns until it gets `STOP`:
 * the recorder gets that from the gate when the client is gone, or may not move the camera anymore.
 */
export function recorderMessages(stream: MessageStream, countMove: CountMove) {
  const turning = new TurningCameras();
  const isOver = (camera: string) => !mayMove(camera, stream.permitted);
  return {
    accepted: {
      ofClient: (areRequestsRead(stream.permitted) ? onlyText : anything).ofClient,
      ofUpstream: (areMessagesFiltered(stream.permitted) ? onlyText : anything).ofUpstream,
    },
    toClient: (text: string) => answerFor(text, stream.permitted),
    toUpstream: (text: string) => {
      const sent = sentBy(text, stream.permitted);
      const command = sent === undefined ? undefined : ptzCommandOf(sent);
      if (command === undefined) return sent;
      if (!turning.hasRoomFor(command)) return undefined;
      if (command.kind !== 'stop' && !countMove(stream, command.camera)) return undefined;
      turning.note(command);
      return sent;
    },
    needsClient: () => turning.any,
    onDecided: (call: (messages: readonly string[]) => void) => {
      stream.onGoOn = () => call(turning.stop(isOver));
    },
    ending: () => turning.stop(() => true),
  } satisfies MessageFilter;
}

function answerFor(text: string, permitted: Allowed): string | undefined {
  return areMessagesFiltered(permitted) ? messageFor(text, permitted) : text;
}

/** The recorder refuses by itself what the gate does not have to; but it may read JSON that the gate cannot, so it gets none. */
function sentBy(text: string, permitted: Allowed): string | undefined {
  if (areRequestsRead(permitted)) return requestOf(text, permitted);
  return readJson(text) === undefined ? undefined : text;
}

/** Whether the WebSocket of a permitted request takes offers that have to be read. */
export function isOffering({ path = '', identity }: Allowed): boolean {
  return (
    identity !== undefined && !mayOfferAnything(identity) && offerPlaceOf(path, 'GET', true) === 'messages'
  );
}

/**
 * The messages of a client to go2rtc, which answers with video: only those that players send pass, and offers by the last decision on
 * the stream.
 * @param record is called for an offer that is refused
 */
export function offeredMessages(
  stream: { readonly permitted: Allowed },
  record: (refused: Refused) => void,
): MessageFilter {
  let left = mostCandidates;
  return {
    accepted: onlyTextOfClient(longestBody),
    toClient: messageToPlayer,
    toUpstream: (text, reply) => {
      const { permitted } = stream;
      const role = permitted.identity?.role ?? '';
      const message = readOfferedMessage(text, { role, may: permitted.may }, left);
      if (message === undefined) return undefined;
      if (message.refused === undefined) {
        left -= message.candidates;
        return message.text;
      }
      record(refusalOf(message.refused, permitted));
      // go2rtc answers so when it cannot do something: its players know this form.
      reply(JSON.stringify({ type: 'error', value: `${message.type}: refused` }));
      return undefined;
    },
    needsClient: () => false,
    onDecided: () => undefined,
    ending: () => [],
  };
}

function refusalOf(reason: Reason, { path, rule, resource, identity }: Allowed): Refused {
  const missing = reason === 'role_may_not' ? 'talk' : undefined;
  return { path, rule, resource, ...forbidden(reason, identity), missing };
}
