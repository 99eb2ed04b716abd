/* The test button: asks the server with what is typed, and fills the list of recipes and looks. */
(() => {
  const { url, nonce } = window.packshotSettings;
  const field = (name) => document.getElementById(`packshot-${name}`);
  field('test').addEventListener('click', async () => {
    const answer = field('answer');
    answer.textContent = '…';
    const body = new URLSearchParams({
      action: 'packshot_test',
      _ajax_nonce: nonce,
      url: field('url').value,
      key: field('key').value,
    });
    try {
      const { success, data } = await (await fetch(url, { method: 'POST', body })).json();
      answer.textContent = data.message;
      if (!success) return;
      const select = field('recipe');
      const chosen = select.value;
      const found = data.recipes.map(({ id, title }) => new Option(`${title} (${id})`, id));
      if (found.length === 0) return;
      select.replaceChildren(...found);
      select.value = chosen;
    } catch (error) {
      answer.textContent = String(error);
    }
  });
})();
