/* Shows how many pictures wait, and lets the site make the next one. */
(() => {
  const { url, nonce, text, done } = window.packshotProgress;
  const line = document.querySelector('#packshot-progress p');
  const body = new URLSearchParams({ action: 'packshot_progress', _ajax_nonce: nonce });
  async function look() {
    let pauseMs = 1000;
    try {
      const { success, data } = await (await fetch(url, { method: 'POST', body })).json();
      if (!success) return;
      if (data.waiting === 0) {
        line.textContent = done;
        return;
      }
      line.textContent = [text.replace('%d', data.waiting), data.reason].filter(Boolean).join(' ');
      if (data.reason) pauseMs = 10000;
    } catch {
      pauseMs = 10000;
    }
    setTimeout(look, pauseMs);
  }
  look();
})();
