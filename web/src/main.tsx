/** Starts the Studio page. */
import { render } from 'preact';
import '../styles/tokens.css';
import '../styles/base.css';
import '../styles/controls.css';
import '../styles/home.css';
import '../styles/workspace.css';
import '../styles/photos.css';
import { Studio } from './studio.tsx';

render(<Studio />, document.getElementById('studio')!);
