import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** What a link loses: the bytes of both ends, or of one. */
type Lost = 'both' | 'questions' | 'answers';

export interface FaultyLink {
  /** Of 127.0.0.1; a connection to it is one to the other end of the link. */
  readonly port: number;
  /** Resets all connections, open and new. */
  cut(): void;
  /** Nothing passes anymore, not even the end of a connection. */
  stall(lost?: Lost): void;
  /** Delays everything from now on. @param milliseconds each way */
  delay(milliseconds: number): void;
  /** Everything passes as it comes, also what was held back. */
  restore(): void;
  close(): Promise<void>;
}

interface State {
  isCut: boolean;
  lost: Lost | 'nothing';
  /** Milliseconds. */
  delay: number;
}

type Said = Buffer | 'end' | 'reset';

/** A link to a port of 127.0.0.1 that does what networks do. */
export async function startFaultyLink(target: number): Promise<FaultyLink> {
  const state: State = { isCut: false, lost: 'nothing', delay: 0 };
  const ways = new Set<ReturnType<typeof createWay>>();
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    return socket.setNoDelay(true).once('close', () => sockets.delete(socket));
  };
  const server = createServer({ allowHalfOpen: true }, (near) => {
    keep(near);
    if (state.isCut) {
      near.on('error', () => near.destroy()).resetAndDestroy();
      return;
    }
    const far = keep(connect({ port: target, host: '127.0.0.1', allowHalfOpen: true }));
    const both = [createWay(near, far, 'questions', state), createWay(far, near, 'answers', state)];
    for (const way of both) ways.add(way);
    near.once('close', () => both.forEach((way) => ways.delete(way)));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const reset = () => sockets.forEach((socket) => socket.resetAndDestroy());
  const change = (changed: Partial<State>) => {
    Object.assign(state, changed);
    for (const way of ways) way.pass();
  };
  return {
    port: (server.address() as AddressInfo).port,
    cut: () => {
      change({ isCut: true });
      reset();
    },
    stall: (lost = 'both') => change({ lost }),
    delay: (milliseconds) => change({ delay: milliseconds }),
    restore: () => change({ isCut: false, lost: 'nothing', delay: 0 }),
    close: async () => {
      server.close();
      reset();
      await once(server, 'close');
    },
  };
}

/** One direction of one connection. */
function createWay(from: Socket, to: Socket, name: Exclude<Lost, 'both'>, state: State) {
  const onTheWay: Array<{ readonly said: Said; readonly at: number }> = [];
  let timer: NodeJS.Timeout | undefined;
  const pass = () => {
    clearTimeout(timer);
    const isLost = state.lost === 'both' || state.lost === name;
    // What is not read fills the buffers of the system, as what is never acknowledged does.
    if (isLost) {
      from.pause();
      return;
    }
    from.resume();
    for (let next = onTheWay[0]; next !== undefined; next = onTheWay[0]) {
      const wait = next.at + state.delay - performance.now();
      if (wait > 0) {
        timer = setTimeout(pass, wait);
        return;
      }
      onTheWay.shift();
      if (next.said === 'end') to.end();
      else if (next.said === 'reset') to.resetAndDestroy();
      else to.write(next.said);
    }
  };
  const say = (said: Said) => {
    onTheWay.push({ said, at: performance.now() });
    pass();
  };
  from.on('data', say);
  from.on('end', () => say('end'));
  from.on('error', () => say('reset'));
  to.once('close', () => clearTimeout(timer));
  return { pass };
}
