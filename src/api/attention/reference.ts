import * as v from 'valibot';
import type { Reference } from '../endpoint.ts';
import type { AttentionKind } from './attention.ts';

/** What each kind says, and what its detail holds. */
const kinds: Readonly<Record<AttentionKind, string>> = {
  password_generated: 'the password of whoever asks is still the one that the log has told',
  reload_failed: 'the last reload changed nothing; `problems`: how many there were',
  provider_fault:
    'the provider of sign-on could not be asked about `sessions` sessions in the last ten minutes: they end when their time is over; `provider` is its label',
  session_not_refreshed:
    'the provider could not be asked about the session of whoever asks: it ends at `ends_at`; `fault` is `away`, `nonsense` or `unreadable`',
  certificate_ends:
    'the certificate of the gate ends within 21 days; `days` that are left, below zero once it has ended, and `ends_at`',
  role_unverified: '`count` custom roles are not verified; `roles` names the first of them',
  first_run:
    '`open` names the steps of the first run that are open, `shown` is 0 until an admin has seen them',
  sample_data: 'the events are the sample that the program brings along',
};

const lines = Object.entries(kinds).map(([kind, says]) => `- \`${kind}\`: ${says}`);

export const whatNeedsAttention: Reference = {
  summary: 'What whoever asks should know of or do something about',
  description: `The worst comes first. Everybody is told of their own password, their own session and of the sample; admins are told everything.\n\n${lines.join('\n')}`,
  answers: {
    200: {
      meaning: 'What needs attention; an empty list when nothing does.',
      body: v.array(
        v.strictObject({
          kind: v.picklist(Object.keys(kinds) as AttentionKind[]),
          level: v.picklist(['problem', 'hint']),
          page: v.pipe(
            v.nullable(v.string()),
            v.description('The page of the UI for it, below `/postern`; null when there is none.'),
          ),
          detail: v.record(v.string(), v.nullable(v.union([v.string(), v.number()]))),
        }),
      ),
    },
  },
};
