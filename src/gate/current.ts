import type { Configuration } from '../config/configuration.ts';

/** The current runtime of this process. It is created first, so that everything else can ask it. */
export interface Current<Runtime extends object = object> {
  configuration(): Configuration;
  /** @throws when there is no runtime yet */
  runtime(): Runtime;
  /** The same as an object to compare; `undefined` while there is no runtime. */
  deciding(): object | undefined;
  become(configuration: Configuration, runtime?: Runtime): void;
}

export function createCurrent<Runtime extends object>(first: Configuration): Current<Runtime> {
  let configuration = first;
  let runtime: Runtime | undefined;
  return {
    configuration: () => configuration,
    runtime: () => {
      if (runtime === undefined) throw new Error('nothing decides yet');
      return runtime;
    },
    deciding: () => runtime,
    become: (changed, next) => {
      configuration = changed;
      runtime = next;
    },
  };
}
