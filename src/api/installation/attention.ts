import * as v from 'valibot';
import { databaseFaults } from '../../events/database-state.ts';
import { gateChecks, type GateState } from '../doctor/gate-checks.ts';
import { endpoint } from '../endpoint.ts';

const databaseFaultNames = databaseFaults.map((fault) => `\`${fault}\``).join(', ');

interface AttentionRow {
  /** Name for programs; the UI has the texts. */
  readonly kind: string;
  /** Meaning and contents of the detail; for the reference. */
  readonly meaning: string;
  readonly check: keyof typeof gateChecks;
  /** A problem is a fault that the check finds. */
  readonly level: 'problem' | 'hint';
  /** Page below `/postern`; null: none. */
  readonly page: string | null;
  /** Page for users who are not admins; `undefined` if they do not see this. */
  readonly othersPage?: string | null;
}

/** Things that you should know or do something about, the worst first. */
const rows = [
  {
    kind: 'clock_behind',
    meaning:
      'the clock shows `clock`, but Postern has run until `last`: access with a schedule is closed until the clock is set, or `postern clock reset` puts `last` right',
    check: 'clock',
    level: 'problem',
    page: null,
  },
  {
    kind: 'accounts_lost',
    meaning:
      '`postern.db` had no accounts at the start, but `activity.db` has sign-ins, the last at `last_sign_in`: accounts, API tokens, screens and shares are gone',
    check: 'lostAccounts',
    level: 'problem',
    page: null,
  },
  {
    kind: 'secret_lost',
    meaning:
      '`.jwt_secret` was gone at the start, and Postern made another: everybody and every screen was signed out',
    check: 'lostSecret',
    level: 'problem',
    page: null,
  },
  {
    kind: 'password_generated',
    meaning: 'you still use the generated password from the log',
    check: 'ownPassword',
    level: 'problem',
    page: '/account',
    othersPage: '/account',
  },
  {
    kind: 'session_not_refreshed',
    meaning:
      'the provider could not be asked about your session, which ends at `ends_at`; `fault` is `away`, `nonsense` or `unreadable`',
    check: 'ownSession',
    level: 'problem',
    page: '/account',
    othersPage: '/account',
  },
  {
    kind: 'reload_failed',
    meaning:
      'the last reload failed and changed nothing; `problems` is their number, and `first` the first of them',
    check: 'configuration',
    level: 'problem',
    page: null,
  },
  {
    kind: 'provider_fault',
    meaning:
      'the provider could not be asked about `sessions` sessions in the last ten minutes: they end when their time is over; `provider` is its label',
    check: 'provider',
    level: 'problem',
    page: null,
  },
  {
    kind: 'recorder_away',
    meaning:
      'Postern cannot read the configuration of the recorder, and last could at `since` (null: never); `fault` is the reason',
    check: 'recorder',
    level: 'problem',
    page: null,
    othersPage: null,
  },
  {
    kind: 'camera_lost',
    meaning:
      'the recorder no longer has `count` cameras that roles, people or devices have here, the first is `camera`; `likely` is the name that it probably has now (null: unknown), `people` counts the users whose role has it, and `users` names the first of them',
    check: 'lostCameras',
    level: 'problem',
    page: null,
  },
  {
    kind: 'events_unreadable',
    meaning: `Postern cannot read the recorder's database, so custom roles can open no events, exports and reviews; \`fault\` is one of ${databaseFaultNames}`,
    check: 'events',
    level: 'problem',
    page: null,
    othersPage: null,
  },
  {
    kind: 'certificate_ends',
    meaning:
      "Postern's certificate expires within 21 days, at `ends_at`; `days` are left, below zero once it has expired",
    check: 'certificate',
    level: 'problem',
    page: null,
  },
  {
    kind: 'role_unverified',
    meaning:
      '`count` custom roles are not verified; `roles` names the first of them, a role that was made for one person by its person',
    check: 'roles',
    level: 'problem',
    page: '/settings/access',
  },
  {
    kind: 'role_undefined',
    meaning:
      '`count` users have a role that is not defined, and count as viewers, who see every camera; `roles` and `users` name the first of them',
    check: 'undefinedRoles',
    level: 'problem',
    page: '/people',
  },
  {
    kind: 'access_lost',
    meaning:
      '`count` users have a role that was made for them, and whose definition is gone: Postern refuses everything to them; `users` names the first of them',
    check: 'lostAccess',
    level: 'problem',
    page: '/people',
  },
  {
    kind: 'access_incomplete',
    meaning:
      '`count` users have a role that names groups or cameras which `config.yml` does not have, and get nothing by them; `unknown` and `users` name the first of them',
    check: 'incompleteAccess',
    level: 'problem',
    page: '/people',
  },
  {
    kind: 'less_protected',
    meaning:
      '`count` values of config.yml switch a protection off, or are limits that it lost when it was changed last; `first` is the first of these warnings',
    check: 'exposures',
    level: 'hint',
    page: null,
  },
  {
    kind: 'alerts_lost',
    meaning: '`count` alerts of the last week did not reach a target within a day',
    check: 'lostAlerts',
    level: 'problem',
    page: '/settings/notifications',
  },
  {
    kind: 'access_asked',
    meaning:
      '`count` requests for cameras have no answer; the last one is from `user`, with the role `role`, for `camera`',
    check: 'requests',
    level: 'hint',
    page: '/settings/access',
  },
  {
    kind: 'first_run',
    meaning: '`open` names the setup steps that are left; `shown` is 0 until an admin has seen them',
    check: 'steps',
    level: 'hint',
    page: '/first-run',
  },
  {
    kind: 'sample_data',
    meaning: 'the events are the sample that comes with the program',
    check: 'sample',
    level: 'hint',
    page: '/first-run',
    othersPage: null,
  },
] as const satisfies readonly AttentionRow[];

type AttentionKind = (typeof rows)[number]['kind'];

interface Attention extends Pick<AttentionRow, 'level' | 'page'> {
  readonly kind: AttentionKind;
  readonly detail: Readonly<Record<string, string | number | null>>;
}

const lines = rows.map(({ kind, meaning }) => `- \`${kind}\`: ${meaning}`);

export const whatNeedsAttention = endpoint({
  method: 'get',
  path: '/postern/api/attention',
  level: 'any',
  namesNoCamera: true,
  tag: 'Operation',
  summary: 'List what needs your attention',
  description: `The worst comes first. All users see entries about their own password, their own session, the recorder and the sample; admins see all entries.\n\n${lines.join('\n')}`,
  answers: {
    200: {
      meaning: 'What needs attention; an empty list when nothing does.',
      body: v.array(
        v.strictObject({
          kind: v.picklist(rows.map(({ kind }) => kind)),
          level: v.picklist(['problem', 'hint']),
          page: v.pipe(
            v.nullable(v.string()),
            v.description('The page of the UI for it, below `/postern`; null: none.'),
          ),
          detail: v.record(v.string(), v.nullable(v.union([v.string(), v.number()]))),
        }),
      ),
    },
  },
  handle: (gate: GateState) => async (c) => {
    const { identity } = c.var.allowed;
    // A token that is limited to cameras reaches none of these pages, so it learns nothing of them.
    const isAdmin = identity?.role === 'admin' && identity.token?.cameras === undefined;
    const found: Attention[] = [];
    for (const { kind, check, level, ...pages } of rows) {
      const page = isAdmin ? pages.page : 'othersPage' in pages ? pages.othersPage : undefined;
      if (page === undefined) continue;
      const { result, detail = {} } = await gateChecks[check](gate, { identity, session: c.var.session });
      if (result === (level === 'problem' ? 'fault' : 'hint')) found.push({ kind, level, page, detail });
    }
    return found;
  },
});
