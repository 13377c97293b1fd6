import type { Hono } from 'hono';
import type { BlankEnv, ParamKeys } from 'hono/types';
import type { GenericSchema, InferInput, InferOutput } from 'valibot';
import type { Endpoint } from './endpoint.ts';

/** Types for `hc` of `hono/client`: the endpoints at a path and below it. */
export type Client<Base extends string, E extends Endpoint> = Hono<BlankEnv, CallsBelow<Base, E>>;

type CallsBelow<Base extends string, E extends Endpoint> = {
  [Path in E['path'] as Below<Base, Path>]: {
    [Called in Extract<E, { readonly path: Path }> as `$${Called['method']}`]: Call<Called>;
  };
};

type Below<Base extends string, Path extends string> = Path extends Base
  ? '/'
  : Path extends `${Base}${infer Rest extends `/${string}`}`
    ? Rest
    : never;

type Call<E extends Endpoint> = E extends Endpoint & { readonly answers: infer Answers }
  ? {
      [Status in keyof Answers & (200 | 201 | 204)]: {
        input: Input<E>;
        output: Answers[Status] extends { readonly body: infer Body extends GenericSchema }
          ? InferOutput<Body>
          : unknown;
        outputFormat: 'json';
        status: Status;
      };
    }[keyof Answers & (200 | 201 | 204)]
  : never;

type Input<E extends Endpoint> = ([ParamKeys<E['path']>] extends [never]
  ? object
  : { param: Record<ParamKeys<E['path']>, string> }) &
  (E extends { readonly query?: infer Query extends GenericSchema } ? { query: InferInput<Query> } : object) &
  (E extends { readonly body?: infer Body extends GenericSchema } ? { json: InferInput<Body> } : object);
