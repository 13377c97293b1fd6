import type { SendHandle } from 'node:child_process';
import { AppError, type ErrorCode } from '../../errors.ts';

/** Calls that one process accepts from another, by name. */
export type Handlers = Readonly<Record<string, (argument: never, handle: unknown) => unknown>>;

/** The other process. */
export interface Peer<Offered extends Handlers> {
  /**
   * @param timeoutMs undefined: until the other process ends
   * @throws what the handler there throws, and an error when no answer comes
   */
  call<Name extends keyof Offered & string>(
    name: Name,
    argument: Parameters<Offered[Name]>[0],
    options?: { readonly timeoutMs?: number; readonly handle?: SendHandle },
  ): Promise<Awaited<ReturnType<Offered[Name]>>>;
  /** The other process has ended: every call fails. */
  end(): void;
}

/** Messages between two processes. */
export interface Channel {
  readonly send: (
    message: object,
    handle: SendHandle | undefined,
    options: { readonly keepOpen: boolean },
    onSent: (error: Error | null) => void,
  ) => void;
  readonly onMessage: (take: (message: unknown, handle: unknown) => void) => void;
}

interface Call {
  readonly call: number;
  readonly name: string;
  readonly argument: unknown;
}

type Answer = { readonly answer: number } & (
  | { readonly value: unknown }
  | { readonly error: string; readonly code: ErrorCode | undefined }
);

/**
 * Calls another process and answers its calls, in order.
 * @param handlersOf creates the handlers for the other process, which they may call
 */
export function connectPeer<Offered extends Handlers>(
  channel: Channel,
  handlersOf: (peer: Peer<Offered>) => Handlers,
): Peer<Offered> {
  const open = new Map<number, (answer: Answer) => void>();
  let last = 0;
  const give = (
    message: Call | Answer,
    handle: SendHandle | undefined,
    onSent: (error: Error | null) => void,
  ) =>
    // Kept open, since another worker gets it when the other process ends before it has taken it.
    channel.send(message, handle, { keepOpen: true }, onSent);

  const peer: Peer<Offered> = {
    call: (name, argument, { timeoutMs, handle } = {}) => {
      const call = (last += 1);
      const { promise, resolve, reject } = Promise.withResolvers<never>();
      const fail = (why: string) =>
        open.get(call)?.({ answer: call, error: `${name}: ${why}`, code: undefined });
      const timer =
        timeoutMs === undefined ? undefined : setTimeout(() => fail('no answer in time'), timeoutMs);
      open.set(call, (answered) => {
        clearTimeout(timer);
        open.delete(call);
        if ('value' in answered) resolve(answered.value as never);
        else reject(answered.code === undefined ? new Error(answered.error) : new AppError(answered.code));
      });
      give({ call, name, argument }, handle, (error) => {
        if (error !== null) fail(error.message);
      });
      return promise;
    },
    end: () => {
      for (const [call, settle] of open)
        settle({ answer: call, error: 'the other process has ended', code: undefined });
    },
  };

  const own = handlersOf(peer);
  const answer = async ({ call, name, argument }: Call, handle: unknown) => {
    try {
      const handler = own[name] as ((argument: unknown, handle: unknown) => unknown) | undefined;
      if (handler === undefined) throw new Error(`nothing answers ${name}`);
      give({ answer: call, value: await handler(argument, handle) }, undefined, () => undefined);
    } catch (error) {
      const code = error instanceof AppError ? error.code : undefined;
      give({ answer: call, error: (error as Error).message, code }, undefined, () => undefined);
    }
  };
  channel.onMessage((message, handle) => {
    if (typeof message !== 'object' || message === null) return;
    const received = message as Call | Answer;
    if ('call' in received) return void answer(received, handle);
    open.get(received.answer)?.(received);
  });
  return peer;
}
