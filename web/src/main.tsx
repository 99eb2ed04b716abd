/** Starts the Studio page. */
import { render } from 'preact';
import { language, loadWords } from './shared/words.ts';
import '../styles/tokens.css';
import '../styles/base.css';
import '../styles/controls.css';
import '../styles/home.css';
import '../styles/workspace.css';
import '../styles/photos.css';
import { Studio } from './studio.tsx';

await loadWords();
document.documentElement.lang = language;
render(<Studio />, document.getElementById('studio')!);
