"use strict";
/* A button at each text to paste. */

function copied(text) {
  if (navigator.clipboard && window.isSecureContext) return navigator.clipboard.writeText(text);
  const area = document.createElement("textarea");
  area.value = text;
  document.body.append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  return done ? Promise.resolve() : Promise.reject(new Error("refused"));
}

for (const place of document.querySelectorAll(".copy")) {
  const item = document.createElement("button");
  item.type = "button";
  item.textContent = "copy";
  item.addEventListener("click", () => {
    const say = (word) => { item.textContent = word; setTimeout(() => { item.textContent = "copy"; }, 1500); };
    copied(place.querySelector("code").textContent).then(() => say("copied"), () => say("not allowed"));
  });
  place.append(item);
}
