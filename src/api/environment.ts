import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { ListenerFacts } from '../http/fronts/client.ts';
import type { Allowed } from '../policy/decision.ts';
import type { Session } from '../accounts/sessions/session-token.ts';
import type { ReadBody } from '../http/validation.ts';
import type { Settings } from '../access/settings/settings.ts';
import type { Permission, Reading } from '../store/permit.ts';

/** Facts of the listener that accepted a request, and its canonical path. */
export interface RequestFacts extends HttpBindings, ListenerFacts {
  readonly path: string;
}

/** A permission with the configuration that grants it. */
interface RequestPermission extends Permission {
  readonly settings: Settings;
}

/** @throws PermitWithdrawn */
export type RequestPermit = (on: Reading) => Promise<RequestPermission>;

export interface ApiEnvironment {
  Bindings: RequestFacts;
  Variables: {
    allowed: Allowed;
    session: Session | undefined;
    /** Checks the permission again; called by the transaction that writes. */
    permit: RequestPermit;
    /** Read before the request was permitted. */
    body?: ReadBody;
    /** Id of the decision that permitted the request. */
    decision: string;
    /** The refusal that is about to be thrown is in the audit already. */
    isRecorded?: true;
  };
}

export type ApiContext = Context<ApiEnvironment>;
