/** Which messages an end of a WebSocket may send at all. */
export interface AcceptedMessages {
  readonly binary: boolean;
  /** Bytes of one message. */
  readonly longest: number;
}

/** Filters a message of a WebSocket. @returns `undefined` to drop it */
export interface MessageFilter {
  readonly accepted: { readonly ofClient: AcceptedMessages; readonly ofUpstream: AcceptedMessages };
  /** Reads texts only: where binary messages are accepted, they are passed as they are. */
  readonly toClient: (text: string) => string | undefined;
  /** @param reply sends the client a message in answer to this one */
  readonly toUpstream: (text: string, reply: (text: string) => void) => string | undefined;
  /** Whether the client has begun what has to end when it is gone. */
  readonly needsClient: () => boolean;
  /** Calls with messages for the upstream that end what a later decision no longer permits. */
  readonly onDecided: (call: (messages: readonly string[]) => void) => void;
  /** @returns messages for the upstream that end everything the client has begun */
  readonly ending: () => readonly string[];
}

/** Where each message is read: clients ask for little, and the activity of a hundred cameras takes some hundred KiB. */
export const onlyText: MessageFilter['accepted'] = {
  ofClient: { binary: false, longest: 16_384 },
  ofUpstream: { binary: false, longest: 1_048_576 },
};

/** Accepts everything. No message is as long, and the memory of the gate stays bounded. */
const anythingOfUpstream: AcceptedMessages = { binary: true, longest: 67_108_864 };

/** Passes everything, for clients that may see everything. */
export const anything: MessageFilter['accepted'] = {
  ofClient: { binary: true, longest: 1_048_576 },
  ofUpstream: anythingOfUpstream,
};

/** @param longest bytes of a message of the client; the upstream may send anything, such as video */
export function onlyTextOfClient(longest: number): MessageFilter['accepted'] {
  return { ofClient: { binary: false, longest }, ofUpstream: anythingOfUpstream };
}
