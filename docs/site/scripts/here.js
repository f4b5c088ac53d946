/** A classic script, which runs from a file too: it says there that Python needs a web server. */
if (location.protocol === "file:") document.documentElement.classList.add("from-file");
