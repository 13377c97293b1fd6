import '@picocss/pico/css/pico.min.css';
import './style.css';
import { render } from 'preact';
import { LocationProvider } from 'preact-iso';
import { Site } from './site.tsx';

const root = document.getElementById('app');
if (root !== null) {
  render(
    <LocationProvider>
      <Site />
    </LocationProvider>,
    root,
  );
}
