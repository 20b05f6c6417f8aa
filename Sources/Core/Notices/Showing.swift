import Geometry

/// Whether a notification disturbs (S-07).
extension Notices {
    /// A banner is for news that a person does not see already, and wants to know now. On a locked screen it sounds as elsewhere;
    /// `saysOnLock` decides about its words there.
    mutating func showsBanner(
        _ notice: Notice, replacing before: Notice?, _ surroundings: Surroundings, isInFront: Bool, at now: Moment
    ) -> Bool {
        let content = notice.content
        guard content.level > .passive, !(content.waitsInList ?? false), mayShow(content) else { return false }
        // Feedback on an act of the person, or news that the person still sees.
        guard !content.isFeedback, !isInFront else { return false }
        // A job in progress, or a text that was sent twice.
        if let before, content.progress != nil || before.content.isSame(as: content) { return false }
        if before == nil, wasSwept(notice) { return false }
        guard content.level >= (choices.isQuiet ? .critical : surroundings.isBusy ? .timeSensitive : .active) else { return false }
        // A focus lets some apps and people through, and notifications that cannot wait.
        guard focus(at: now)?.lets(content) ?? true else { return false }
        return content.level == .critical || takeAllowance(of: notice.payer.key, at: now)
    }

    /// Whether a notification sounds now. Time-sensitive and critical ones always do.
    mutating func takeSound(_ content: NoticeContent, at now: Moment) -> Bool {
        sounds.left = min(NoticeLimits.sounds, sounds.left + max(0, now - sounds.since) / NoticeLimits.soundPause)
        sounds.since = now
        guard sounds.left >= 1 else { return content.level >= .timeSensitive }
        sounds.left -= 1
        return true
    }

    /// Whether its app may show a banner. A notification that waits for a summary shows one only if it cannot wait.
    private func mayShow(_ content: NoticeContent) -> Bool {
        switch choices.manner(of: content.group) {
        case .banners: true
        case .summary: content.level >= .timeSensitive
        case .quietly, .off: false
        }
    }

    /// Owners that notify again and again, under whatever names, show no banner for a while.
    private mutating func takeAllowance(of owner: String, at now: Moment) -> Bool {
        var allowance = allowances[owner] ?? Allowance(left: NoticeLimits.burst, since: now)
        allowance.left = min(NoticeLimits.burst, allowance.left + max(0, now - allowance.since) / NoticeLimits.pause)
        allowance.since = now
        let isLeft = allowance.left >= 1
        if isLeft { allowance.left -= 1 }
        allowances[owner] = nil
        allowances[owner] = allowance
        if allowances.count > NoticeLimits.allowances { allowances.removeFirst() }
        return isLeft
    }
}

extension NoticeContent {
    /// Whether a person would read the same.
    func isSame(as other: NoticeContent) -> Bool { title == other.title && body == other.body && buttons == other.buttons }
}
