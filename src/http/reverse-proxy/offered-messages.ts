import type { Allowed, Refused } from '../../policy/decision.ts';
import { forbidden } from '../../policy/evaluate/decide.ts';
import { longestBody } from '../../policy/recorder/named-in-body.ts';
import { mayOfferAnything, offerPlaceOf, readOfferedMessage } from '../../policy/recorder/offers.ts';
import type { Reason } from '../../policy/reasons.ts';
import { onlyTextOfClient, type MessageFilter } from './filtered-web-socket.ts';

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
  return {
    accepted: onlyTextOfClient(longestBody),
    toClient: undefined,
    toUpstream: (text, reply) => {
      const { permitted } = stream;
      const role = permitted.identity?.role ?? '';
      const message = readOfferedMessage(text, { role, may: permitted.may });
      if (message?.refused === undefined) return message && text;
      record(refusalOf(message.refused, permitted));
      // As go2rtc answers what it cannot do: its players know this form.
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
