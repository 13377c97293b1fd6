import type { AccessRule } from './access-rules.ts';
import type { Features } from '../policy/features.ts';
import type { Landing } from '../policy/return-address.ts';
import type { DefinedRoles, Roles } from '../policy/role-access.ts';
import type { ListenAddress } from './listen.ts';
import type { Notifications } from './resolve-notifications.ts';

/** Limits for one client. Times in milliseconds. */
export interface Limits {
  readonly headerTimeout: number;
  readonly bodyTimeout: number;
  readonly writeTimeout: number;
  readonly connectionsPerClient: number;
  readonly upstreamConnections: number;
}

/** An OpenID Connect provider, and the gate's client there. */
export interface OidcConfiguration {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Label on the login page. */
  readonly label: string;
  /** Separated by spaces. */
  readonly scopes: string;
  /** Tried in order. */
  readonly userClaims: readonly string[];
  /** A name, or a path such as `realm_access.roles`. */
  readonly groupsClaim: string;
  /** Of several groups in one text; absent: a text is one group. */
  readonly groupsSeparator: string | undefined;
  /** Groups of each role. */
  readonly roleMap: ReadonlyMap<string, ReadonlySet<string>> | undefined;
  readonly defaultRole: string | undefined;
  /** Lower-case addresses and `@domains`. Absent when any address may sign in. */
  readonly allowedEmails: readonly string[] | undefined;
  /** The login page redirects to the provider at once. */
  readonly automatic: boolean;
  /** The login page has a form for local accounts. */
  readonly localLogin: boolean;
}

/** The configuration as the modules use it: checked, complete, with normalized names. */
export interface Configuration {
  readonly auth: {
    readonly enabled: boolean;
    readonly resetAdminPassword: boolean;
    /** Absent when there is no limit. */
    readonly failedLoginRateLimit: string | undefined;
    readonly trustedProxies: readonly string[];
    /** Milliseconds. */
    readonly sessionLength: number;
    /** Milliseconds. */
    readonly refreshTime: number;
    readonly cookieName: string;
    /** Lower-case. */
    readonly returnDomains: readonly string[];
    /** In the order of the file. */
    readonly defined: DefinedRoles;
    /** Access of each role, with the cameras of its groups. */
    readonly roles: Roles;
    /** Absent when there is no provider, or when there are no accounts. */
    readonly oidc: OidcConfiguration | undefined;
    /** Roles whose local users need a second factor; empty when there are no accounts. */
    readonly secondFactor: { readonly requiredFor: ReadonlySet<string> };
  };
  readonly proxy: {
    readonly authSecret: string | undefined;
    /** Lower-case. */
    readonly userHeader: string | undefined;
    /** Lower-case. */
    readonly roleHeader: string | undefined;
    readonly separator: string;
    readonly defaultRole: string | undefined;
    readonly roleMap: ReadonlyMap<string, ReadonlySet<string>> | undefined;
    readonly userMap: ReadonlyMap<string, string> | undefined;
    /** Lower-case. */
    readonly trustedHeaders: ReadonlySet<string>;
  };
  readonly listen: {
    /** For clients. Absent when off. */
    readonly authenticated: ListenAddress | undefined;
    readonly internal: ListenAddress | undefined;
    /** Only for health and metrics. Absent when off. */
    readonly metrics: ListenAddress | undefined;
    /** For other fronts. Absent when off. */
    readonly forwardAuthAuthenticated: ListenAddress | undefined;
    readonly forwardAuthInternal: ListenAddress | undefined;
    /** Other fronts send requests here that the gate itself passes on. Absent when off. */
    readonly relayAuthenticated: ListenAddress | undefined;
    readonly relayInternal: ListenAddress | undefined;
    /** The events app. Absent when it has a private Unix socket. */
    readonly events: ListenAddress | undefined;
  };
  /** Host names of the internal entry point besides those of private networks; lower-case. */
  readonly internalHosts: ReadonlySet<string>;
  /** Addresses that may use the forward-auth listeners, besides Unix sockets and loopback. */
  readonly fronts: {
    readonly trusted: readonly string[];
    readonly secret: string | undefined;
  };
  readonly tls: {
    readonly enabled: boolean;
    /** Absent when the certificate is self-signed. */
    readonly files: { readonly certificate: string; readonly key: string } | undefined;
  };
  /** Names of the cameras; undefined when the file does not list them. */
  readonly cameras: readonly string[] | undefined;
  /** Cameras by the name of a live stream, from each camera's `live.streams`. */
  readonly streams: ReadonlyMap<string, readonly string[]>;
  /** The operator's access rules, in order. */
  readonly accessRules: readonly AccessRule[];
  /** Origin, or `unix:/path`. Absent when the embedded events app is used. */
  readonly upstream: string | undefined;
  /** Fronts other than the embedded one also pass permitted requests on to the embedded events app. */
  readonly frontsReachEvents: boolean;
  /** How the gate asks the recorder at `upstream`. */
  readonly recorder: {
    /** For `X-Proxy-Secret`. */
    readonly authSecret: string | undefined;
    /** Path of a PEM file. */
    readonly certificate: string | undefined;
    /** Milliseconds. */
    readonly checkInterval: number;
    /** The gate writes custom roles to it. */
    readonly manageRoles: boolean;
  };
  /** Path of the recorder's file. Absent when the bundled sample is used. */
  readonly eventsDatabase: string | undefined;
  readonly logoutUrl: string | undefined;
  /** Contact for help: a text, `mailto:` or https. */
  readonly contact: string | undefined;
  /** Milliseconds. */
  readonly shutdownTimeout: number;
  /** Milliseconds between a signal to stop and the end of listening. */
  readonly shutdownDelay: number;
  readonly limits: Limits;
  readonly store: {
    /** PostgreSQL's, perhaps with a password. Absent when the store is SQLite files in the configuration directory. */
    readonly url: string | undefined;
  };
  /** The parts that are on. */
  readonly features: Features;
  readonly shares: {
    readonly enabled: boolean;
    /** Milliseconds. */
    readonly longest: number;
    readonly mostPerUser: number;
  };
  readonly audit: {
    /** 0: no records are kept. */
    readonly keepDays: number;
    /** Number of refusals kept, the newest ones. */
    readonly keepRefusals: number;
    /** Whether it records who watched what; `required` also refuses to show what cannot be recorded. */
    readonly viewing: boolean | 'required';
  };
  readonly notifications: Notifications;
  /** Begins with a slash and ends without one; empty when the site is at the root. */
  readonly basePath: string;
  /** Origin of the site, as browsers write it. */
  readonly publicUrl: string | undefined;
  /** IANA name of the time zone of all schedules. */
  readonly timezone: string;
  /** Origins whose pages may frame the wall. */
  readonly frameAncestors: readonly string[];
  readonly ui: {
    /** Absent when it is Postern. */
    readonly name: string | undefined;
    /** Name of a file in the directory of config.yml. */
    readonly logo: string | undefined;
    /** `#rrggbb` */
    readonly accent: string | undefined;
    readonly landing: Landing;
  };
  /** Not errors, but worth a line in the log. */
  readonly warnings: readonly string[];
  /** Those of them that tell of a protection that is off; Home shows them too. */
  readonly exposures: readonly string[];
  /** Those of them that tell what config.yml lost since it was applied. Absent when it is the same. */
  readonly lost?: readonly string[] | undefined;
  /** Text of config.yml, perhaps with secrets, to notice when a later one was lost or cut off. Absent without a file. */
  readonly source?: string | undefined;
}
