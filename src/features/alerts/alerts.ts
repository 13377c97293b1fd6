import type { SignIn } from '../../api/login/end-login.ts';
import type { AuditEntry } from '../../audit/audit-entry.ts';
import type { Clock, Timers } from '../../clock.ts';
import type { AlertTarget } from '../../config/resolve-notifications.ts';
import { browserOf } from '../../policy/user-agent.ts';
import type { Store } from '../../store/store.ts';
import type { Logger } from '../../telemetry/logger.ts';
import { createDispatcher, type DispatcherOptions } from './dispatcher.ts';
import { createObservations, type Observations } from './observations.ts';
import { createOutbox } from './outbox.ts';
import { hostOf, sendTest, sendTestTo, type AlertSettings, type TargetResult } from './send-to-all.ts';
import type { DeliveryFault } from './targets/post.ts';

/** Alerts people to events that concern them. */
export interface Alerts {
  readonly observe: Observations['observe'];
  /** Reads each entry of the audit. */
  note(entry: AuditEntry): void;
  /** Alerts to a device that the account was not used on before. It never throws. */
  signedIn(signIn: SignIn): void;
  /** Sends a test to all targets. */
  test(user: string): Promise<readonly TargetResult[]>;
  /** Sends a test to a target, which need not be configured. @returns why it was not delivered; `undefined` when it was */
  testTarget(target: AlertTarget, user: string): Promise<DeliveryFault | undefined>;
  /** Alerts that were given up in the last week. */
  countLost(): Promise<number>;
  /** The targets, without their secrets. */
  targets(): ReadonlyArray<Pick<TargetResult, 'type' | 'host'>>;
  prune(): Promise<void>;
  close(): Promise<void>;
}

interface AlertsOptions {
  readonly store: Store;
  readonly storeVersion: () => number;
  readonly settings: () => AlertSettings;
  readonly clock: Clock;
  readonly isClockRight: () => boolean;
  readonly timers: Timers;
  readonly logger: Logger;
  /** Maps an address to its client. */
  readonly clientOf: (address: string) => string;
}

const day = 86_400_000;
/** As long as the cookie of a browser lasts. */
const deviceKnown = 400 * day;
const networkKnown = 30 * day;

export function createAlerts(options: AlertsOptions): Alerts {
  const { store, storeVersion, settings, clock, timers, logger, clientOf } = options;
  const outbox = createOutbox(store, clock, options.isClockRight);
  const userWhere = (whose: Parameters<DispatcherOptions['mailboxOf']>[0]) => {
    const users = store.selectFrom('users').select(['user_id', 'email', 'blocked']);
    const found =
      'userId' in whose
        ? users.where('user_id', '=', whose.userId)
        : users.where('username', '=', whose.username);
    return found.executeTakeFirst();
  };
  const mailboxOf: DispatcherOptions['mailboxOf'] = async (whose) => {
    const row = await userWhere(whose);
    // While a user is blocked, it is not known whose address it is.
    if (row === undefined || row.email === null || row.blocked !== null) return undefined;
    return { userId: row.user_id, email: row.email };
  };
  const dispatcher = createDispatcher({
    outbox,
    storeVersion,
    settings,
    mailboxOf,
    clock,
    timers,
    logger,
  });
  dispatcher.start();
  const observations = createObservations({
    store,
    clock,
    timers,
    logger,
    sendNow: dispatcher.sendNow,
  });
  return {
    observe: observations.observe,
    note: observations.note,
    signedIn: ({ user, device, address, agent = '' }) => {
      const where = device === undefined ? `network ${clientOf(address)}` : `device ${device}`;
      const found = browserOf(agent);
      observations.observe('new_device', {
        // The next user of the name has none of these devices.
        key: async () => `${(await userWhere({ username: user }))?.user_id} ${where}`,
        forMs: device === undefined ? networkKnown : deviceKnown,
        atMostHourly: user,
        user,
        address,
        object: found === undefined ? 'a program' : `${found.browser} on ${found.system}`,
      });
    },
    test: (user) => sendTest(settings(), user, clock.now()),
    testTarget: (target, user) => sendTestTo(target, settings(), { user, now: clock.now() }, timers),
    countLost: outbox.countLost,
    targets: () =>
      settings().notifications.targets.map((target) => ({ type: target.type, host: hostOf(target) })),
    prune: outbox.prune,
    close: async () => {
      await observations.close();
      await dispatcher.close();
    },
  };
}
