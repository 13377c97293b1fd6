import type { AuditRecord } from './api-client.ts';
import { detailText, eventText, sourceText, whereText, whoText } from './audit-text.ts';
import { nameText } from './event-text.ts';
import { Facts, type Fact } from './facts.tsx';
import { Modal } from './modal.tsx';
import { timeText } from './time-text.ts';

/** Everything that a record says. */
export function AuditDialog(props: { readonly record: AuditRecord; readonly onClose: () => void }) {
  const { record, onClose } = props;
  const { reason, reason_meaning: meaning, decision } = record;
  const facts: readonly Fact[] = [
    ['Time', timeText(Date.parse(record.time) / 1000)],
    ['Result', nameText(record.result)],
    ['Who', whoText(record)],
    ['Role', record.role],
    ['Known by', sourceText(record.source)],
    ['From', whereText(record)],
    ['On', record.object],
    [
      'Reason',
      reason === null ? null : (
        <>
          <code>{reason}</code>
          {meaning !== null && `: ${meaning}`}
        </>
      ),
    ],
    ...Object.entries(record.detail).map(([name, value]) => [nameText(name), detailText(value)] as const),
    ['Decision', decision === null ? null : <code>{decision}</code>],
    ['Record', String(record.id)],
    ['Event', <code>{record.event}</code>],
  ];
  return (
    <Modal title={eventText(record.event)} wide onClose={onClose}>
      <Facts facts={facts} />
      {decision !== null && (
        <p>
          <small>
            Of the last decisions <code>script/postern explain --decision {decision}</code> says, step by
            step, what led there.
          </small>
        </p>
      )}
    </Modal>
  );
}
