// Applies the chosen colours before the browser paints anything. This is a classic script, so that it runs before the page is shown.
(() => {
  const KEY = 'holdfast-theme';
  const kept = () => {
    try {
      return localStorage.getItem(KEY) ?? 'auto';
    } catch {
      return 'auto'; // the browser stores nothing
    }
  };
  document.documentElement.dataset.theme = kept();
  addEventListener('DOMContentLoaded', () => {
    const choice = document.getElementById('theme');
    choice.value = kept();
    choice.addEventListener('change', () => {
      document.documentElement.dataset.theme = choice.value;
      try {
        localStorage.setItem(KEY, choice.value);
      } catch {
        // The choice holds for this page only.
      }
    });
  });
})();
