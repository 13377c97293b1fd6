import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';

/**
 * `fixed-rate-client.ts JSON`: asks at a fixed rate, whatever the answers do, so that a server that halts is charged
 * with every request that was due meanwhile (no coordinated omission). Prints the times as JSON.
 */
interface Plan {
  /** `host:port` or `unix:/path` */
  readonly address: string;
  /** `{1}` in it is replaced by the next line of `lines`. */
  readonly request: string;
  readonly lines: string;
  /** Requests a second. */
  readonly rate: number;
  readonly seconds: number;
  readonly connections: number;
  /**
   * Whether the client sleeps until the next request is due, and leaves its core to others. Its timer wakes it up to a
   * millisecond late, which is the client's fault: the time then runs from the wake, not from the schedule.
   */
  readonly sleeps: boolean;
}

const plan = JSON.parse(process.argv[2] ?? '') as Plan;
const [before = '', after = ''] = plan.request.split('{1}');
const records = readFileSync(plan.lines, 'latin1').trimEnd().split('\n');
const interval = 1_000 / plan.rate;
const total = Math.max(1, Math.floor(plan.rate * plan.seconds));
const times = new Float64Array(total);
const due = new Float64Array(total);
const idle: Array<() => void> = [];
let record = randomInt(records.length);
let asked = 0;
let sent = 0;
let done = 0;
let start = 0;

function fail(why: string): never {
  process.stderr.write(`${plan.address}: ${why}\n`);
  process.exit(1);
}

for (let i = 0; i < plan.connections; i += 1) {
  const socket = plan.address.startsWith('unix:')
    ? connect(plan.address.slice('unix:'.length))
    : connect(Number(plan.address.split(':')[1]), '127.0.0.1');
  socket.setNoDelay(true);
  let since = 0;
  let answer = '';
  const send = () => {
    since = due[sent] ?? 0;
    sent += 1;
    record = (record + 1) % records.length;
    socket.write(before + records[record] + after, 'latin1');
  };
  socket.on('data', (chunk) => {
    // Answers have no body, or a word.
    answer += chunk.toString('latin1');
    if (!answer.includes('\r\n\r\n')) return;
    if (!answer.startsWith('HTTP/1.1 20')) fail(answer);
    answer = '';
    times[done] = performance.now() - since;
    done += 1;
    if (done === total) finish();
    else if (sent < asked) send();
    else idle.push(send);
  });
  socket.on('close', () => fail('connection closed'));
  socket.on('error', (error) => fail(error.message));
  idle.push(send);
}

function tick(): void {
  const now = performance.now();
  while (asked < total && start + asked * interval <= now) {
    due[asked] = plan.sleeps ? now : start + asked * interval;
    asked += 1;
  }
  for (const send of idle.splice(0, asked - sent)) send();
  if (asked === total) return;
  if (plan.sleeps) setTimeout(tick, start + asked * interval - now);
  else setImmediate(tick);
}

function finish(): void {
  const sorted = times.toSorted();
  const at = (share: number) => sorted[Math.floor(total * share)];
  process.stdout.write(JSON.stringify({ p50: at(0.5), p99: at(0.99) }));
  process.exit(0);
}

// Connections first, and what has to be compiled in the client.
setTimeout(() => {
  start = performance.now();
  tick();
}, 200);
