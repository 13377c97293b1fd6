import type { AuditRecord } from '../../api-client.ts';
import {
  detailName,
  detailText,
  eventText,
  reasonText,
  resultText,
  sourceText,
  whereText,
  whoText,
} from './audit-text.ts';
import { decisionPath } from '../../ui/roles/role-paths.ts';
import { Facts, type Fact } from '../../ui/section.tsx';
import { Modal } from '../../ui/forms/modal.tsx';
import { timeText } from '../../ui/time-text.ts';
import { text } from '../../text.ts';

const words = text.audit;

interface AuditDialogProps {
  readonly record: AuditRecord;
  readonly isRefusal: boolean;
  readonly onClose: () => void;
}

/** Everything in a record. */
export function AuditDialog({ record, isRefusal, onClose }: AuditDialogProps) {
  const { reason, decision } = record;
  const meaning = reasonText(record);
  const facts: readonly Fact[] = [
    [words.time, timeText(Date.parse(record.time) / 1000)],
    [words.result, resultText(record.result)],
    [words.who, whoText(record)],
    [words.role, record.role],
    [words.knownBy, sourceText(record.source)],
    [words.from, whereText(record)],
    [words.on, record.object],
    [
      words.reason,
      reason === null ? null : (
        <>
          <code>{reason}</code>
          {meaning !== null && `: ${meaning}`}
        </>
      ),
    ],
    ...Object.entries(record.detail).map(([name, value]) => [detailName(name), detailText(value)] as const),
    [words.decision, decision === null ? null : <code>{decision}</code>],
    [words.record, String(record.id)],
    [words.event, <code>{record.event}</code>],
  ];
  return (
    <Modal title={eventText(record.event)} wide onClose={onClose}>
      <Facts facts={facts} />
      {isRefusal && decision !== null && (
        <p>
          <a class="button outline" href={decisionPath(decision)}>
            {words.why}
          </a>
        </p>
      )}
    </Modal>
  );
}
