import { plainText } from '../../audit/audit-entry.ts';
import type { Language } from '../../language/language.ts';
import type { Review } from '../../policy/recorder/review.ts';

interface ReviewTexts {
  readonly something: string;
  readonly at: (labels: string, time: string) => string;
}

const texts: Readonly<Record<Language, ReviewTexts>> = {
  en: { something: 'Something', at: (labels, time) => `${labels}, ${time}` },
  de: { something: 'Etwas', at: (labels, time) => `${labels}, ${time} Uhr` },
};

/** What a browser shows: text alone, no picture. @param cameraName what the recorder calls the camera */
export function pushText(review: Review, cameraName: string | undefined, language: Language): string {
  const { something, at } = texts[language];
  const words = review.labels.map((label) => label.replaceAll('_', ' ')).join(', ') || something;
  const time = Temporal.Instant.fromEpochMilliseconds(Math.round(review.startTime * 1_000))
    .toZonedDateTimeISO(Temporal.Now.timeZoneId())
    .toPlainTime();
  const shown = `${String(time.hour).padStart(2, '0')}:${String(time.minute).padStart(2, '0')}`;
  return JSON.stringify({
    title: plainText(cameraName ?? review.camera.replaceAll('_', ' '), 80),
    body: plainText(at(words.charAt(0).toUpperCase() + words.slice(1), shown), 160),
    // The next push of the same review replaces it.
    tag: review.id,
    page: review.event === undefined ? 'explore' : `events/${review.event}`,
  });
}
