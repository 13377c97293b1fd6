import * as v from 'valibot';
import type { Reference } from '../endpoint.ts';

export const listLiveStreams: Reference = {
  summary: 'Live streams of the cameras that the user may see',
  description:
    'A camera without streams has pictures alone. A stream that shows another camera too is there for whoever may see both.',
  answers: {
    200: {
      meaning: 'The cameras, each with names of streams, to be asked for as `src` of `/live/mse/api/ws`.',
      body: v.array(v.strictObject({ camera: v.string(), streams: v.array(v.string()) })),
    },
  },
};
