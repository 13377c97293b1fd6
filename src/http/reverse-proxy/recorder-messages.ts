import type { OpenStream } from '../../access/streams/stream.ts';
import { isLimited } from '../../policy/capability.ts';
import type { Allowed } from '../../policy/decision.ts';
import { areMessagesFiltered } from '../../policy/evaluate/revalidation.ts';
import { readJson } from '../../policy/json.ts';
import { messageFor, requestOf } from '../../policy/recorder/messages.ts';
import { mayMove, ptzCommandOf, TurningCameras } from '../../policy/recorder/ptz.ts';
import { anything, onlyText, type MessageFilter } from './filtered-web-socket.ts';

/** The stream of a WebSocket, decided again while it is open. */
export type MessageStream = Pick<OpenStream, 'permitted' | 'id' | 'address' | 'onGoOn'>;

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
    accepted: areMessagesFiltered(stream.permitted) ? onlyText : anything,
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
  return permitted.grant === 'all' && !isLimited(permitted.may) ? text : messageFor(text, permitted);
}

/** The recorder refuses by itself what the gate does not have to; but it may read JSON that the gate cannot, so it gets none. */
function sentBy(text: string, permitted: Allowed): string | undefined {
  if (areMessagesFiltered(permitted)) return requestOf(text, permitted);
  return readJson(text) === undefined ? undefined : text;
}
