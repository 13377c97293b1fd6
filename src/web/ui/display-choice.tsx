import { useState } from 'preact/hooks';
import { displayCookie, displayOf, looks, type Display } from '../../language/display.ts';
import { languages } from '../../language/language.ts';
import { pathTo } from '../path-prefix.ts';
import { text } from '../text.ts';

/** The user's choice of language and theme. The server reads it, so that the first paint is right. */
export function DisplayChoice() {
  const [chosen, setChosen] = useState(() => displayOf(document.cookie));
  const choose = (change: Partial<Display>) => {
    const display = { ...chosen, ...change };
    setChosen(display);
    document.cookie = displayCookie(display, pathTo('') || '/', location.protocol === 'https:');
    // The texts of another language are in another bundle.
    if ('language' in change) location.reload();
    else showLook(display.look);
  };
  return (
    <div class="display-choice">
      <label>
        {text.display.language}
        <select
          value={chosen.language ?? ''}
          onChange={({ currentTarget: { value } }) =>
            choose({ language: languages.find((language) => language === value) })
          }
        >
          <option value="">{text.display.byBrowser}</option>
          {languages.map((language) => (
            <option key={language} value={language} lang={language}>
              {names[language]}
            </option>
          ))}
        </select>
      </label>
      <label>
        {text.display.look}
        <select
          value={chosen.look ?? ''}
          onChange={({ currentTarget: { value } }) => choose({ look: looks.find((look) => look === value) })}
        >
          <option value="">{text.display.bySystem}</option>
          {looks.map((look) => (
            <option key={look} value={look}>
              {text.display.looks[look]}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}

/** Applies to this page what the server does to the next one. */
function showLook(look: Display['look']): void {
  const { dataset } = document.documentElement;
  if (look === undefined) delete dataset['theme'];
  else dataset['theme'] = look;
  const colours = document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]');
  for (const [index, of] of looks.entries()) {
    const media = look === undefined ? `(prefers-color-scheme: ${of})` : of === look ? 'all' : 'not all';
    colours[index]?.setAttribute('media', media);
  }
}

/** Each in its own language: a user may read no other. */
const names = { en: 'English', de: 'Deutsch' } as const;
