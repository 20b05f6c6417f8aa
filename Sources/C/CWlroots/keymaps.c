/*
 * Keymaps of virtual keyboards. libxkbcommon compiles their text within the shell, and it trusts it: it reads whatever file
 * is named to be included, makes room for as many keys and levels as are numbered, and takes a sum apart by recursion. So
 * the text is looked through, and what no keymap needs is refused, before wlroots gets it.
 */
#include "internal.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <wayland-server.h>

/* The longest known keymap has about 90 KiB. Names are looked for one by one: a MiB of them took 2 s. */
#define MAX_KEYMAP (1 << 18)
/* The kernel knows no more than 767 keys, but wtype numbers the characters of its text. */
#define MAX_KEYCODE 65535
/* As in X11. Each list of symbols may have so many, with room for each. */
#define MAX_LEVEL 64
#define MAX_LISTS 32768
/* Layouts, options and what is common to all are some twenty; each is a file that is read. */
#define MAX_INCLUDES 64
/* In one statement. Each is one deeper in the recursion. */
#define MAX_OPERATORS 256

/* Besides the characters that stand for themselves. */
enum token { END, WORD = 256, STRING, KEY_NAME, NUMBER, UNCLEAR };

struct keymap_text {
	const char *at;          /* behind the token, */
	const char *begin;       /* which begins here: a string without its quotes */
	size_t length;
	uint64_t number;
};

static bool is_digit(char c) {
	return c >= '0' && c <= '9';
}

/* Whatever the language is set to. */
static bool is_of_word(char c) {
	return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_word(const struct keymap_text *text, const char *word) {
	return strlen(word) == text->length && strncasecmp(text->begin, word, text->length) == 0;
}

static void skip_space(struct keymap_text *text) {
	for (;;) {
		text->at += strspn(text->at, " \t\n\v\f\r");
		if (*text->at != '#' && strncmp(text->at, "//", 2) != 0)
			return;
		text->at += strcspn(text->at, "\n");
	}
}

/* One that does not end in its line is refused by libxkbcommon. Versions of it do not agree on what a quote in it means. */
static enum token string(struct keymap_text *text) {
	text->begin = ++text->at;
	while (*text->at != '\0' && *text->at != '\n' && *text->at != '"') {
		if (text->at[0] == '\\' && text->at[1] == '"')
			return UNCLEAR;
		text->at += text->at[0] == '\\' && text->at[1] == '\\' ? 2 : 1;
	}
	text->length = (size_t)(text->at - text->begin);
	text->at += *text->at == '"';
	return STRING;
}

static enum token number(struct keymap_text *text) {
	int base = strncmp(text->at, "0x", 2) == 0 ? 16 : 10;
	char *end;
	text->number = strtoull(text->at, &end, base);
	text->at = end > text->at ? end : text->at + 1;
	return NUMBER;
}

static enum token next_token(struct keymap_text *text) {
	skip_space(text);
	text->begin = text->at;
	if (*text->at == '\0')
		return END;
	if (*text->at == '"')
		return string(text);
	if (is_digit(*text->at))
		return number(text);
	enum token token = (unsigned char)*text->at++;
	if (token == '<') {
		while (*text->at > ' ' && *text->at < 0x7f && *text->at != '>')
			text->at++;
		text->at += *text->at == '>';
		return KEY_NAME;
	}
	if (!is_of_word(*text->begin))
		return token;
	while (is_of_word(*text->at))
		text->at++;
	text->length = (size_t)(text->at - text->begin);
	return WORD;
}

/* All of these, before a string, include files. */
static bool includes(const struct keymap_text *text) {
	return is_word(text, "include") || is_word(text, "augment") || is_word(text, "override") || is_word(text, "replace") ||
		is_word(text, "alternate");
}

/* Several names in one, as in "pc+us(intl)": none may lead out of the folders that are for keymaps. */
static bool leads_out(const struct keymap_text *text) {
	for (size_t i = 0; i < text->length; i++) {
		char c = text->begin[i];
		if (c == '\\' || c == '%')   /* an escape, or newer versions' word for a folder */
			return true;
		if (c == '/' && (i == 0 || !(is_of_word(text->begin[i - 1]) || text->begin[i - 1] == '-')))
			return true;
	}
	return false;
}

static int names_in(const struct keymap_text *text) {
	int count = 1;
	for (size_t i = 0; i < text->length; i++)
		count += strchr("+|^", text->begin[i]) != NULL;
	return count;
}

/* What a keymap has had so far, and what the statement that is being read is about. */
struct keymap_count {
	int includes, lists, operators;
	bool including, of_levels, of_value;
	bool after_key, of_code;             /* `<A>`, `<A> =` */
};

static const char *wrong_number(const struct keymap_count *count, uint64_t value) {
	if (count->of_code && value > MAX_KEYCODE)
		return "a keycode is larger than 65535";
	return count->of_levels && value > MAX_LEVEL ? "a level is larger than 64" : NULL;
}

static const char *wrong_string(struct keymap_count *count, const struct keymap_text *text) {
	if (!count->including)
		return NULL;
	if (leads_out(text))
		return "it includes a file from outside of the folders for keymaps";
	count->includes += names_in(text);
	return count->includes > MAX_INCLUDES ? "it includes more than 64 files" : NULL;
}

static const char *wrong_operator(struct keymap_count *count) {
	if (count->of_levels && count->of_value)
		return "a level is more than a number or a name";
	return ++count->operators > MAX_OPERATORS ? "there are more than 256 operators in a statement" : NULL;
}

static const char *wrong_token(struct keymap_count *count, enum token token, const struct keymap_text *text) {
	switch ((int)token) {
	case UNCLEAR:
		return "there is a quote in a string";
	case STRING:
		return wrong_string(count, text);
	case NUMBER:
		return wrong_number(count, text->number);
	case '+': case '-': case '*': case '/': case '~': case '!':
		return wrong_operator(count);
	case '[':
		return ++count->lists > MAX_LISTS ? "there are more than 32768 lists" : NULL;
	default:
		return NULL;
	}
}

static void follow(struct keymap_count *count, enum token token, const struct keymap_text *text) {
	count->including = token == WORD && includes(text);
	count->of_code = count->after_key && (int)token == '=';
	count->after_key = token == KEY_NAME;
	if ((int)token == ';' || (int)token == '{' || (int)token == '}')
		count->of_levels = count->of_value = false;
	if ((int)token == ';')
		count->operators = 0;
	count->of_value = count->of_value || (int)token == '=';
	/* Both `level_name` and `levelname` are words for it. */
	if (token == WORD && (is_word(text, "map") || is_word(text, "level_name") || is_word(text, "levelname")))
		count->of_levels = true;
}

/* Why it is refused; NULL if it is not. */
static const char *wrong_in(const char *content) {
	/* Is that the end of a line? Versions may differ. */
	for (const char *at = strchr(content, '\r'); at != NULL; at = strchr(at + 1, '\r')) {
		if (at[1] != '\n')
			return "there is a carriage return within a line";
	}
	struct keymap_text text = { .at = content };
	struct keymap_count count = { 0 };
	for (enum token token; (token = next_token(&text)) != END;) {
		const char *wrong = wrong_token(&count, token, &text);
		if (wrong != NULL)
			return wrong;
		follow(&count, token, &text);
	}
	return NULL;
}

/* A file of our own with the same content: nobody changes it while it is read, and it ends with a NUL. -1, and why, if not. */
static int copy_of(int fd, size_t size, const char **wrong) {
	struct stat file;
	*wrong = "it must be a file that is not empty, and of at most 262144 bytes";
	if (size == 0 || size > MAX_KEYMAP || fstat(fd, &file) != 0 || !S_ISREG(file.st_mode))
		return -1;
	char *text = calloc(1, size);
	ssize_t length = text != NULL ? pread(fd, text, size - 1, 0) : -1;
	if (length > 0)
		*wrong = wrong_in(text);
	int copy = length > 0 && *wrong == NULL ? memfd_create("keymap", MFD_CLOEXEC) : -1;
	if (copy >= 0 && write(copy, text, size) != (ssize_t)size) {
		close(copy);
		copy = -1;
	}
	free(text);
	*wrong = copy < 0 && *wrong == NULL ? "there is no memory for it" : *wrong;
	return copy;
}

/* wlroots maps the file and reads it as a string, whatever its length is and whether it ends. */
void mw_keymap_of_virtual_keyboard(const struct wl_protocol_logger_message *message) {
	if (message->arguments_count < 3)
		return;
	int fd = message->arguments[1].h;
	mw_limits_keymap(wl_resource_get_client(message->resource));
	if (wl_resource_get_user_data(message->resource) == NULL) {
		/* wlroots does nothing for a keyboard whose seat is gone, and forgets the descriptor. */
		close(fd);
		((union wl_argument *)message->arguments)[1].h = -1;
		return;
	}
	const char *wrong;
	int instead = copy_of(fd, message->arguments[2].u, &wrong);
	if (instead < 0) {
		/* wlroots would call it a lack of memory when it cannot map the file. */
		wl_client_post_implementation_error(wl_resource_get_client(message->resource), "the keymap is refused: %s", wrong);
		instead = open("/dev/null", O_WRONLY | O_CLOEXEC);
	}
	if (instead < 0) {
		/* No descriptors are left. wlroots then has nothing that it could map. */
		close(fd);
		((union wl_argument *)message->arguments)[1].h = -1;
		return;
	}
	dup3(instead, fd, O_CLOEXEC);
	close(instead);
}
