import * as v from 'valibot';
import type { Reference } from '../endpoint.ts';
import { listQuery } from './exchanges.ts';

const exchange = v.strictObject({
  id: v.pipe(v.string(), v.description('Of the decision by which it was passed on.')),
  kind: v.pipe(
    v.picklist(['websocket', 'answer']),
    v.description('`answer`: one that is still being sent, be it an endless picture or a clip.'),
  ),
  user: v.string(),
  role: v.string(),
  source: v.pipe(
    v.nullable(v.picklist(['internal', 'proxy', 'session', 'bearer', 'api-token', 'share'])),
    v.description('How it is known who asks; `share`: by the link of one, which is the user.'),
  ),
  session: v.pipe(
    v.nullable(v.string()),
    v.description('Of which it is a part, as `/postern/api/sessions` names it.'),
  ),
  resource: v.strictObject({
    path: v.pipe(v.string(), v.description('Without a query.')),
    cameras: v.pipe(
      v.array(v.string()),
      v.description('Those that it is about, as far as the decision had to know them.'),
    ),
  }),
  since: v.pipe(v.number(), v.description('Seconds since the epoch.')),
  address: v.pipe(v.string(), v.description('Of the client.')),
});

export const listExchanges: Reference = {
  summary: 'What is being watched',
  description:
    "WebSockets and answers that the gate is passing on at this moment, the oldest first: one's own; for an admin everybody's. They are those of this gate, with all of its processes: each gate that shares a store has its own.",
  query: listQuery,
  queryParameters: { own: "Only one's own, for an admin too. It has no value." },
  answers: {
    200: { meaning: 'All that are open.', body: v.array(exchange) },
  },
};

export const cutExchange: Reference = {
  summary: 'Cut what is being watched',
  description: 'It ends in the middle. Whoever still may see it can ask again at once.',
  pathParameters: { id: 'Of the exchange.' },
  answers: {
    204: { meaning: 'It is cut.' },
    404: { meaning: 'It has ended by itself, or is that of another gate.' },
  },
};
