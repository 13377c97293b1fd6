import { plainText } from '../../audit/audit-entry.ts';
import type { Language } from '../../language/language.ts';
import { texts } from '../../language/texts.ts';
import type { Review } from '../../policy/recorder/review.ts';

/** What a browser shows: text alone, no picture. @param cameraName what the recorder calls the camera */
export function pushText(review: Review, cameraName: string | undefined, language: Language): string {
  const labels = review.labels.map((label) => label.replaceAll('_', ' ')).join(', ');
  const words = labels || texts[language].notifications.push.something;
  return JSON.stringify({
    title: plainText(cameraName ?? review.camera.replaceAll('_', ' '), 80),
    body: plainText(words.charAt(0).toUpperCase() + words.slice(1), 140),
    // The browser adds the time in its own time zone.
    at: Math.round(review.startTime),
    language,
    // The next push of the same review replaces it.
    tag: review.id,
    page: review.event === undefined ? 'explore' : `events/${review.event}`,
  });
}
