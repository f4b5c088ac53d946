-- CPL in Neovim, from 0.7 on: starts the language server for files that end in .cpl. Needs `cpl` on the path.

vim.api.nvim_create_autocmd({ "BufNewFile", "BufRead" }, { pattern = "*.cpl", command = "setfiletype cpl" })

local shown = {} -- buffers, by what they show

-- Shows a text in a window beside this one, where nobody can edit it.
local function show(kind, text, filetype)
  local buffer = shown[kind]
  if not (buffer and vim.api.nvim_buf_is_valid(buffer)) then
    vim.cmd("vertical new")
    buffer = vim.api.nvim_get_current_buf()
    shown[kind] = buffer
    vim.bo.buftype, vim.bo.bufhidden, vim.bo.filetype = "nofile", "wipe", filetype
    vim.cmd("wincmd p")
  end
  vim.bo[buffer].modifiable = true
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, vim.split(text, "\n", { trimempty = true }))
  vim.bo[buffer].modifiable = false
end

-- Has the server obey a command about this text.
local function obey(command, call, answer)
  local params = { command = command, arguments = { vim.uri_from_bufnr(0), call } }
  vim.lsp.buf_request(0, "workspace/executeCommand", params, function(fault, result)
    if result then
      answer(result)
    else
      vim.notify(fault and fault.message or "The text has errors.", vim.log.levels.ERROR)
    end
  end)
end

local function attached(_, buffer)
  vim.bo[buffer].commentstring = "|| %s"
  vim.bo[buffer].omnifunc = "v:lua.vim.lsp.omnifunc" -- completion: CTRL-X CTRL-O
  local function format()
    if vim.lsp.buf.format then
      vim.lsp.buf.format({ async = true })
    else -- 0.7
      vim.lsp.buf.formatting()
    end
  end
  local keys = {
    K = vim.lsp.buf.hover,
    gd = vim.lsp.buf.definition,
    grr = vim.lsp.buf.references,
    grn = vim.lsp.buf.rename,
    gra = vim.lsp.buf.code_action,
    grf = format,
  }
  for key, action in pairs(keys) do
    vim.keymap.set("n", key, action, { buffer = buffer })
  end
  vim.api.nvim_buf_create_user_command(buffer, "CplPython", function()
    obey("cpl.showPython", nil, function(result)
      show("python", result.python, "python")
    end)
  end, { desc = "Show the Python of this text" })
  vim.api.nvim_buf_create_user_command(buffer, "CplRun", function(given)
    obey("cpl.run", given.args ~= "" and given.args or vim.NIL, function(result)
      show("output", result.output, "")
    end)
  end, { nargs = "*", desc = "Run this text, or evaluate an expression in it" })
end

-- Where the project of a text begins: at its repository, else at its folder.
local function root(buffer)
  local folder = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(buffer), ":p:h")
  local repository = vim.fn.finddir(".git", folder .. ";")
  return repository ~= "" and vim.fn.fnamemodify(repository, ":p:h:h") or folder
end

local server = { name = "cpl", cmd = { "cpl", "lsp" }, on_attach = attached }

if vim.fn.executable(server.cmd[1]) == 0 then
  vim.notify("There is no program cpl on the path: run pip install 'cplc[lsp]'.", vim.log.levels.WARN)
elseif vim.lsp.config then -- from 0.11 on
  server.filetypes = { "cpl" }
  server.root_dir = function(buffer, found)
    found(root(buffer))
  end
  vim.lsp.config("cpl", server)
  vim.lsp.enable("cpl")
else
  local client
  vim.api.nvim_create_autocmd("FileType", {
    pattern = "cpl",
    callback = function(event)
      if not client or vim.lsp.client_is_stopped(client) then
        server.root_dir = root(event.buf)
        client = vim.lsp.start_client(server)
      end
      if client then
        vim.lsp.buf_attach_client(event.buf, client)
      end
    end,
  })
end
