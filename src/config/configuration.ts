import type { AccessRule } from './access-rules.ts';
import type { RoleWindows } from '../policy/role-window.ts';
import type { ListenAddress } from './listen.ts';

/** How much of the gate one client may take. Times in milliseconds. */
export interface Limits {
  readonly headerTimeout: number;
  readonly bodyTimeout: number;
  readonly writeTimeout: number;
  readonly connectionsPerClient: number;
  readonly upstreamConnections: number;
}

/** A provider of OpenID Connect, and the client that the gate is there. */
export interface OidcConfiguration {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** What people call the provider. */
  readonly label: string;
  /** Separated by spaces. */
  readonly scopes: string;
  readonly userClaim: string;
  readonly groupsClaim: string;
  /** Groups of each role. */
  readonly roleMap: ReadonlyMap<string, ReadonlySet<string>> | undefined;
  readonly defaultRole: string | undefined;
  /** Lower-case addresses and `@domains`; undefined: whatever address somebody has. */
  readonly allowedEmails: readonly string[] | undefined;
  /** The login page leads straight to the provider. */
  readonly automatic: boolean;
  /** The login page has a form for local accounts. */
  readonly localLogin: boolean;
}

/** The configuration as the modules use it: checked, complete, names in their final form. */
export interface Configuration {
  readonly auth: {
    readonly enabled: boolean;
    readonly resetAdminPassword: boolean;
    /** Undefined: no limit. */
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
    readonly roles: ReadonlyMap<string, ReadonlySet<string>>;
    /** Of custom roles. */
    readonly roleWindows: RoleWindows;
    /** Undefined: nobody signs in at a provider, or there are no accounts. */
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
    /** Lower-case. */
    readonly trustedHeaders: ReadonlySet<string>;
  };
  readonly listen: {
    /** Client-facing. Undefined: off. */
    readonly authenticated: ListenAddress | undefined;
    readonly internal: ListenAddress | undefined;
    /** For health and metrics alone. Undefined: off. */
    readonly metrics: ListenAddress | undefined;
    /** For other fronts. Undefined: off. */
    readonly forwardAuthAuthenticated: ListenAddress | undefined;
    readonly forwardAuthInternal: ListenAddress | undefined;
    /** Where other fronts send what the gate passes on itself. Undefined: off. */
    readonly relayAuthenticated: ListenAddress | undefined;
    readonly relayInternal: ListenAddress | undefined;
    /** The events app. Undefined: a private Unix socket. */
    readonly events: ListenAddress | undefined;
  };
  /** Names by which the internal entry point may be called besides those of every network; lower-case. */
  readonly internalHosts: ReadonlySet<string>;
  /** Who may ask on the forward-auth listeners besides Unix sockets and loopback. */
  readonly fronts: {
    readonly trusted: readonly string[];
    readonly secret: string | undefined;
  };
  readonly tls: {
    readonly enabled: boolean;
    /** Undefined: self-signed. */
    readonly files: { readonly certificate: string; readonly key: string } | undefined;
  };
  /** Names of the cameras there are; undefined when the file does not say. */
  readonly cameras: readonly string[] | undefined;
  /** Cameras by the name of a live stream, as `live.streams` of each camera lists them. */
  readonly streams: ReadonlyMap<string, readonly string[]>;
  /** Access rules of the operator, in their order. */
  readonly accessRules: readonly AccessRule[];
  /** Origin, or `unix:/path`; undefined: the embedded events app. */
  readonly upstream: string | undefined;
  /** Fronts other than the embedded one pass permitted requests on to the embedded events app too. */
  readonly frontsReachEvents: boolean;
  /** How the recorder at `upstream` is asked. */
  readonly recorder: {
    /** For `X-Proxy-Secret`. */
    readonly authSecret: string | undefined;
    /** Path of a PEM file. */
    readonly certificate: string | undefined;
    /** Milliseconds. */
    readonly checkInterval: number;
    /** Custom roles are written to it. */
    readonly manageRoles: boolean;
  };
  readonly eventsDatabase: string;
  readonly logoutUrl: string | undefined;
  /** Whom people ask who get no further: a text, `mailto:` or https. */
  readonly contact: string | undefined;
  /** Milliseconds. */
  readonly shutdownTimeout: number;
  /** Milliseconds between a signal to stop and the end of listening. */
  readonly shutdownDelay: number;
  readonly limits: Limits;
  readonly store: {
    /** Of PostgreSQL, with a password in it; undefined: SQLite files in the configuration directory. */
    readonly url: string | undefined;
  };
  readonly shares: {
    readonly enabled: boolean;
    /** Milliseconds. */
    readonly longest: number;
    readonly mostPerUser: number;
  };
  /** Processes that answer. */
  readonly server: { readonly workers: number };
  /** Bytes. */
  readonly cache: { readonly sessions: number };
  /** Undefined: what stands behind the gate gets no assertions. */
  readonly assertion: { readonly issuer: string; readonly audience: string } | undefined;
  readonly audit: {
    /** 0: no record is kept. */
    readonly keepDays: number;
    /** The newest that are kept. */
    readonly keepRefusals: number;
  };
  /** Begins with a slash and ends without one; empty when the site is at the root. */
  readonly basePath: string;
  /** Origin under which people reach the site, as browsers write it. */
  readonly publicUrl: string | undefined;
  /** What is not wrong but worth a line in the log. */
  readonly warnings: readonly string[];
}
