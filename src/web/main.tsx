import '@picocss/pico/css/pico.min.css';
import './style.css';
import { render } from 'preact';
import { LocationProvider } from 'preact-iso';
import { Site } from './site.tsx';
import { loadText } from './load-text.ts';

// The link is relative, and would be read anew at the next page's address.
for (const icon of document.querySelectorAll<HTMLLinkElement>('link[rel=icon]'))
  icon.setAttribute('href', icon.href);

await loadText();
const root = document.getElementById('app');
if (root !== null) {
  render(
    <LocationProvider>
      <Site />
    </LocationProvider>,
    root,
  );
}
